import { Button, Group, Modal, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import {
  DUPLICATE_KINDS,
  type DuplicateGroup,
  type DuplicateKind,
  type DuplicateRow,
} from '../../../shared/contract/duplicates.ts';
import { printSearch } from '../../../shared/search/query.ts';
import { useAppContext } from '../../app/desk.ts';
import { duplicates, spendOf } from '../../data/duplicates.ts';
import { useFigureReport } from '../../data/use-figure-report.ts';
import { useQuery } from '../../data/use-query.ts';
import { enDuplicates } from '../../messages/en-duplicates.ts';
import { errorText } from '../../messages/errors.ts';
import { dayText } from '../../messages/numbers.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';
import { DuplicateCard } from './DuplicateCard.tsx';
import { type Chosen, groupKey, isOn, othersOf, worthKeeping } from './keep-choice.ts';

const WHERE = ['adGroup', 'account'] as const;
const OFF = { keyword: { state: 'paused' }, adItem: { status: 'disabled' } } as const;
const TEXT = { keyword: 'text', adItem: 'itemId' } as const;
const NOTHING: ReadonlyMap<string, number> = new Map();

/** What is there twice, group by group, with a row to keep in each and a way to be rid of the others. */
export function DuplicatesDialog({ workspaceId, kind: first }: { workspaceId: string; kind: DuplicateKind }) {
  const { store, actions, notes } = useAppContext();
  const { dismiss, goToRows } = store.getState();
  const [kind, setKind] = useState<DuplicateKind>(first);
  const [within, setWithin] = useState<(typeof WHERE)[number]>('adGroup');
  const [chosen, setChosen] = useState<Chosen>({});
  const found = useQuery(duplicates(workspaceId, kind, within));
  const groups = found.data?.groups ?? [];
  const report = useFigureReport(workspaceId, kind, true).chosen;
  const remoteIds = groups.flatMap(({ rows }) => rows.flatMap(({ remoteId }) => remoteId ?? []));
  const asked = report === null || remoteIds.length === 0 ? null : spendOf(workspaceId, report.id, kind, remoteIds);
  const spend = useQuery(asked).data ?? null;
  const keepOf = (group: DuplicateGroup): number | null =>
    chosen[groupKey(group)] ?? worthKeeping(group.rows, spend ?? NOTHING);
  const others = groups.flatMap((group) => othersOf(group, keepOf(group)));

  const settle = async (rows: readonly DuplicateRow[], what: 'pause' | 'remove'): Promise<void> => {
    const [one, ...more] = what === 'pause' ? rows.filter(isOn) : rows;
    if (one === undefined) return;
    const ids = [one, ...more].map(({ id }) => id);
    const scope = { rows: [{ kind, ids }] };
    const { pauseLabel, removeLabel, paused, removed } = enDuplicates;
    const done =
      what === 'pause'
        ? await actions.applyTool(scope, { tool: 'set', values: OFF[kind] }, pauseLabel(ids.length))
        : await actions.applyTool(scope, { tool: 'delete' }, removeLabel(ids.length));
    if (done !== null) notes.tell(what === 'pause' ? paused(done.cells) : removed(done.removed));
  };
  const showInGrid = ({ rows }: DuplicateGroup): void => {
    const texts = [...new Set(rows.map(({ text }) => text))];
    const parts = texts.map((value) => ({ is: 'compare', field: TEXT[kind], op: '=', value }) as const);
    dismiss();
    goToRows({ kind, filter: printSearch({ is: 'or', parts }, kind), dialog: null });
  };
  return (
    <Modal opened onClose={dismiss} title={enDuplicates.title} size={860}>
      <div className="duplicate-choice">
        <SegmentedControl
          size="xs"
          aria-label={enDuplicates.kind}
          data={DUPLICATE_KINDS.map((value) => ({ value, label: enDuplicates.kinds[value] }))}
          value={kind}
          onChange={(value) => setKind(DUPLICATE_KINDS.find((each) => each === value) ?? kind)}
        />
        <SegmentedControl
          size="xs"
          aria-label={enDuplicates.within}
          data={WHERE.map((value) => ({ value, label: enDuplicates.where[value] }))}
          value={within}
          onChange={(value) => setWithin(WHERE.find((each) => each === value) ?? within)}
        />
      </div>
      <p className="quiet">
        {enDuplicates.hint}{' '}
        {report === null
          ? enDuplicates.noSpend
          : enDuplicates.spendOf(dayText(report.startDate), dayText(report.endDate))}
      </p>
      <p role="status" className="duplicate-found">
        {found.error !== null
          ? errorText(found.error)
          : found.data === undefined
            ? enDuplicates.searching
            : found.data.total === 0
              ? enDuplicates.none
              : enDuplicates.found(found.data.total, found.data.rows)}
      </p>
      {groups.length > 0 && (
        <ScrollBox className="duplicate-scroll" label={enDuplicates.list}>
          <ul className="cards">
            {groups.map((group) => (
              <DuplicateCard
                key={groupKey(group)}
                kind={kind}
                group={group}
                keep={keepOf(group)}
                facts={found.data ?? { fullness: [], distinctMax: 0 }}
                spend={spend}
                onKeep={(id) => setChosen((before) => ({ ...before, [groupKey(group)]: id }))}
                onShow={() => showInGrid(group)}
                onPause={() => void settle(othersOf(group, keepOf(group)), 'pause')}
                onRemove={() => void settle(othersOf(group, keepOf(group)), 'remove')}
              />
            ))}
          </ul>
          {(found.data?.total ?? 0) > groups.length && <p className="quiet">{enDuplicates.first(groups.length)}</p>}
        </ScrollBox>
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        {groups.length > 0 && (
          <>
            <Button disabled={!others.some(isOn)} onClick={() => void settle(others, 'pause')}>
              {enDuplicates.pauseAll(others.filter(isOn).length)}
            </Button>
            <Button onClick={() => void settle(others, 'remove')}>{enDuplicates.removeAll(others.length)}</Button>
          </>
        )}
        <Button data-autofocus onClick={dismiss}>
          {enDuplicates.close}
        </Button>
      </Group>
    </Modal>
  );
}
