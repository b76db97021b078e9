import { Button } from '@mantine/core';
import { useId } from 'react';
import type { DuplicateGroup, DuplicateKind, DuplicateRow, Duplicates } from '../../../shared/contract/duplicates.ts';
import { shownCell } from '../../locale/cells.ts';
import { enDuplicates } from '../../messages/en-duplicates.ts';
import { choiceName } from '../../messages/fields.ts';
import { figureText } from '../../messages/numbers.ts';
import { StatusDot, toneOf } from '../../ui/StateDot.tsx';

interface DuplicateCardProps {
  readonly kind: DuplicateKind;
  readonly group: DuplicateGroup;
  readonly keep: number | null;
  readonly facts: Pick<Duplicates, 'fullness' | 'distinctMax'>;
  /** Cents by the service's id; null when no report is kept. */
  readonly spend: ReadonlyMap<string, number> | null;
  readonly onKeep: (id: number) => void;
  readonly onShow: () => void;
  readonly onPause: () => void;
  readonly onRemove: () => void;
}

/** One group of the same: which row stays, and what becomes of the others. */
export function DuplicateCard(props: DuplicateCardProps) {
  const { kind, group, keep, facts, spend, onKeep } = props;
  const name = useId();
  const [first] = group.rows;
  const distinctOf = ({ adGroupId }: DuplicateRow): string => {
    const known = facts.fullness.find((each) => each.adGroupId === adGroupId);
    return known === undefined ? '–' : enDuplicates.distinct(known.distinct, facts.distinctMax);
  };
  const spendText = ({ remoteId }: DuplicateRow): string => {
    const cents = remoteId === null ? undefined : spend?.get(remoteId);
    return cents === undefined ? '–' : figureText('money', cents);
  };
  return (
    <li className="card duplicate">
      <div className="duplicate-head">
        <strong>{first?.text}</strong>
        {group.matchType !== null && <span className="badge">{choiceName(group.matchType)}</span>}
        <span className="quiet">{enDuplicates.same(group.count)}</span>
        <span className="toolbar-gap" />
        <Button size="compact-xs" onClick={props.onShow}>
          {enDuplicates.show}
        </Button>
        <Button size="compact-xs" onClick={props.onPause}>
          {enDuplicates.pause}
        </Button>
        <Button size="compact-xs" onClick={props.onRemove}>
          {enDuplicates.remove}
        </Button>
      </div>
      <table className="diff duplicate-rows">
        <thead>
          <tr>
            <th scope="col">{enDuplicates.keep}</th>
            <th scope="col">{enDuplicates.text[kind]}</th>
            <th scope="col">{enDuplicates.place}</th>
            {kind === 'keyword' && <th scope="col">{enDuplicates.fullness}</th>}
            <th scope="col">{enDuplicates.bid}</th>
            <th scope="col">{enDuplicates.state}</th>
            <th scope="col">{enDuplicates.spend}</th>
          </tr>
        </thead>
        <tbody>
          {group.rows.map((row) => (
            <tr key={row.id}>
              <td>
                <input
                  type="radio"
                  name={name}
                  aria-label={enDuplicates.keepRow(row.text, row.campaignName)}
                  checked={row.id === keep}
                  onChange={() => onKeep(row.id)}
                />
              </td>
              <td>{row.text}</td>
              <td>
                {row.campaignName} <span className="quiet">› {row.adGroupName}</span>
              </td>
              {kind === 'keyword' && <td className="numeric">{distinctOf(row)}</td>}
              <td className="numeric">{shownCell(kind, 'bid', row.bid)}</td>
              <td>
                <StatusDot tone={toneOf(row.state)} text={choiceName(row.state)} />
              </td>
              <td className="numeric">{spendText(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {group.count > group.rows.length && <p className="quiet">{enDuplicates.more(group.count - group.rows.length)}</p>}
    </li>
  );
}
