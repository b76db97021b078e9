import { type FormEvent, useState } from 'react';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import { useAppContext } from '../../app/desk.ts';
import { labels as labelsOf } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enAnnotations } from '../../messages/en-notes.ts';

interface LabelsProps {
  readonly workspaceId: string;
  readonly row: RowRef;
  /** Ids of the labels it carries. */
  readonly carried: readonly number[];
}

/** Colours of new labels, in turn; dark enough for white text. */
const COLORS = ['#1864ab', '#2b7a3d', '#8a5200', '#a61e4d', '#5f3dc4', '#0b7285'];

/** The labels of a row, each with a way to take it off, and a field for one more, new or known. */
export function Labels({ workspaceId, row, carried }: LabelsProps) {
  const { actions } = useAppContext();
  const all = useQuery(labelsOf(workspaceId)).data ?? [];
  const [label, setLabel] = useState('');
  const on = all.filter(({ id }) => carried.includes(id));

  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const name = label.trim();
    if (name === '') return;
    const known = all.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const color = COLORS[all.length % COLORS.length] ?? '#1864ab';
    const put = known ?? (await actions.saveLabel(name, color));
    if (put === null || !(await actions.label(row.kind, [row.id], [put.id], []))) return;
    setLabel('');
  };
  return (
    <div className="labels">
      {on.map(({ id, name, color }) => {
        const style: Record<string, string> = { '--label': color };
        return (
          <span key={id} className="label" style={style}>
            {name}
            <button
              type="button"
              aria-label={enAnnotations.takeOff(name)}
              onClick={() => void actions.label(row.kind, [row.id], [], [id])}
            >
              ×
            </button>
          </span>
        );
      })}
      <form onSubmit={(event) => void add(event)}>
        <input
          className="input label-input"
          aria-label={enAnnotations.newLabel}
          placeholder={enAnnotations.newLabel}
          list="known-labels"
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
        <datalist id="known-labels">
          {all.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
      </form>
    </div>
  );
}
