import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataCheck, DataSafety } from '../../../shared/api/backups.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { reportName } from '../../app/field-names.ts';
import { bytesText, countText, fullDayText, plural, timeText } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { appTexts } from '../../app/texts.ts';
import { Choice, type Option } from '../../components/Choice.tsx';
import { type Fact, FactList } from '../../components/Figures.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import styles from './settings.module.css';

const texts = {
  facts: 'Stored data',
  change: 'Last saved edit',
  noChange: 'No edits yet',
  changeAt: (when: string, label: string, step: string) => `${when}: ${label} (step ${step})`,
  revision: 'Revision of the account file',
  journal: 'Request journal',
  journalAt: (entries: number, size: string) => `${plural(entries, 'entry', 'entries')}, ${size}`,
  journalLast: (when: string) => `, last ${when}`,
  backup: 'Last backup',
  noBackup: 'None yet',
  backupAt: (when: string, size: string, n: number) =>
    `${when}, ${size}, read back and verified. ${plural(n, 'backup')} in all.`,
  unsent: 'Unsynced changes',
  unsentOf: (changed: number, held: number) =>
    held === 0 ? countText(changed) : `${countText(changed)}, ${countText(held)} of them on hold`,
  unresolved: 'Unresolved requests',
  conflicts: 'Conflicts',
  metrics: 'Saved metrics',
  noMetrics: 'No days are saved yet.',
  metricsText: (size: string) => `Metrics take up ${size} on this computer. Backups keep one more copy.`,
  metricsOf: (size: string, days: number, reduced: number, first: string, last: string) =>
    `${size}, ${plural(days, 'day')} from ${fullDayText(first)} to ${fullDayText(last)}` +
    (reduced === 0 ? '' : `, ${countText(reduced)} of them as months only`),
  keepBefore: 'Keep days from',
  keepMonths: 'Keep only months…',
  askKeep: (month: string) => ({
    title: `Keep only the months before ${month}?`,
    text: 'Single days of those months are deleted permanently. Only periods with the whole month still have its metrics. Suggestions and trends use single days, so they begin later.',
    keep: 'Cancel',
    button: 'Delete single days',
  }),
  kept: (days: number, size: string) => `${plural(days, 'day')} reduced to months. Metrics now take up ${size}.`,
  left: (months: number) =>
    `${plural(months, 'month')} of a report kept as days: days are missing, to be confirmed or have other columns.`,
  notSmaller: (why: string) => `The file could not be made smaller: ${why}. Free disk space, then try again.`,
  checks: 'Checks',
  never: 'The checks have not run yet.',
  ranAt: (when: string) => `Last run ${when}.`,
  run: 'Run all checks now',
  names: {
    rows: 'Rows and their history',
    backup: 'New backup, read back in full',
    journal: 'Request journal',
    media: 'Files of the media library',
  },
  good: {
    rows: () => 'Every row is consistent.',
    backup: (bytes: number) => `${bytesText(bytes)} copied, and every page and row read again.`,
    journal: (n: number) => `${plural(n, 'entry', 'entries')} with a correct checksum.`,
    media: (n: number) => `${plural(n, 'file')} with a correct checksum.`,
  } satisfies Record<DataCheck['check'], (count: number) => string>,
  next: {
    rows: 'Restore a backup, then refresh.',
    backup: 'Make sure that the disk has space and the account folder can be written.',
    journal: 'Entries cut off by a crash do not count. Refresh before the next sync.',
    media: 'Add these files again. Their rows find them by their content.',
  } satisfies Record<DataCheck['check'], string>,
  passed: 'Passed',
  failed: 'Failed',
} as const;

/** The data safety of the account: what was verified and when, and a button to run all checks. */
export function DataSafetySection({ workspaceId }: { readonly workspaceId: string }) {
  const { data, error } = useQuery(useApi().backups.safety.queryOptions({ input: { workspaceId } }));
  const actions = useActions(safetyActions);
  const [busy, during] = useBusy();
  const now = useNow();
  return (
    <>
      <Problem of={error} />
      {data !== undefined && (
        <>
          <h2>{texts.facts}</h2>
          <Facts safety={data} now={now} />
          <MetricSizes workspaceId={workspaceId} />
          <h2>{texts.checks}</h2>
          <p className={ui['quiet']} role="status">
            {data.checked === null ? texts.never : texts.ranAt(timeText(data.checked.at, now))}
          </p>
          {data.checked !== null && (
            <ul className={styles['settings-card']} aria-label={texts.checks}>
              {data.checked.checks.map((each) => (
                <Check key={each.check} result={each} />
              ))}
            </ul>
          )}
          <Group justify="flex-end" mt="md">
            <Button variant="filled" loading={busy} onClick={() => void during(actions.check())}>
              {texts.run}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}

const CARD = `${styles['settings-card']} ${styles['locale-samples']}`;

function Facts({ safety, now }: { readonly safety: DataSafety; readonly now: number }) {
  const { lastChange, revision, journal, lastBackup, backups, unsent, held, unresolved, conflicts } = safety;
  const last = journal.lastAt === null ? '' : texts.journalLast(timeText(journal.lastAt, now));
  const facts: readonly Fact[] = [
    [
      texts.change,
      lastChange === null
        ? texts.noChange
        : texts.changeAt(timeText(lastChange.at, now), lastChange.label, countText(lastChange.step)),
    ],
    [texts.revision, countText(revision)],
    [texts.journal, texts.journalAt(journal.entries, bytesText(journal.bytes)) + last],
    [
      texts.backup,
      lastBackup === null
        ? texts.noBackup
        : texts.backupAt(timeText(lastBackup.at, now), bytesText(lastBackup.bytes), backups),
    ],
    [texts.unsent, texts.unsentOf(unsent, held)],
    [texts.unresolved, countText(unresolved)],
    [texts.conflicts, countText(conflicts)],
  ];
  return <FactList className={CARD} isNumeric facts={facts} />;
}

/** The disk space of each report's days, the largest first. */
function MetricSizes({ workspaceId }: { readonly workspaceId: string }) {
  const { data, error } = useQuery(useApi().metrics.settings.queryOptions({ input: { workspaceId } }));
  const sources = (data?.sources ?? []).toSorted((a, b) => b.bytes - a.bytes);
  const facts = sources.flatMap(({ reportType, days, reduced, first, last, bytes }): Fact[] =>
    first === null || last === null
      ? []
      : [[reportName(reportType), texts.metricsOf(bytesText(bytes), days, reduced, first, last)]],
  );
  return (
    <>
      <h2>{texts.metrics}</h2>
      <Problem of={error} />
      {data !== undefined && (
        <p className={ui['quiet']}>{facts.length === 0 ? texts.noMetrics : texts.metricsText(bytesText(data.bytes))}</p>
      )}
      {facts.length > 0 && <FactList className={CARD} isNumeric facts={facts} />}
      {data !== undefined && <KeepMonths months={data.reducible} />}
    </>
  );
}

/** Deletes the single days before a month. */
function KeepMonths({ months }: { readonly months: readonly string[] }) {
  const { store } = useAppContext();
  const actions = useActions(safetyActions);
  const [busy, during] = useBusy();
  const [chosen, setChosen] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const before = chosen !== null && months.includes(chosen) ? chosen : (months[0] ?? null);
  const reduce = async (month: string): Promise<void> => {
    const kept = await actions.keepMonths(month);
    if (kept === null) return;
    const { days, left, bytes, problem } = kept;
    const parts = [
      texts.kept(days, bytesText(bytes)),
      ...(left.length === 0 ? [] : [texts.left(left.length)]),
      ...(problem === '' ? [] : [texts.notSmaller(problem)]),
    ];
    setSaid(parts.join(' '));
  };
  return (
    <>
      {before !== null && (
        <Group justify="flex-end" wrap="nowrap" mt="md" gap="xs">
          <span>{texts.keepBefore}</span>
          <div>
            <Choice
              aria-label={texts.keepBefore}
              options={months.map((month): Option<string> => [month, fullDayText(`${month}-01`)])}
              value={before}
              onChoose={setChosen}
            />
          </div>
          <Button
            loading={busy}
            onClick={() =>
              store.getState().show({
                name: 'confirm',
                ...texts.askKeep(fullDayText(`${before}-01`)),
                run: () => void during(reduce(before)),
              })
            }
          >
            {texts.keepMonths}
          </Button>
        </Group>
      )}
      {said !== '' && <p role="status">{said}</p>}
    </>
  );
}

/** The most findings of a check that are listed. */
const FOUND_MAX = 20;

function Check({ result: { check, ok, found, count } }: { readonly result: DataCheck }) {
  return (
    <li className={styles['setting']}>
      <div>
        <div>{texts.names[check]}</div>
        <p>{ok ? texts.good[check](count) : texts.next[check]}</p>
        {found.slice(0, FOUND_MAX).map((line) => (
          <p key={line} className={ui['note-error']}>
            {line}
          </p>
        ))}
        {found.length > FOUND_MAX && <p>{appTexts.sync.more(found.length - FOUND_MAX)}</p>}
      </div>
      <span className={`${ui['badge']} ${ok ? ui['badge-good'] : ui['badge-error']}`}>
        {ok ? texts.passed : texts.failed}
      </span>
    </li>
  );
}

function safetyActions(context: ActionContext) {
  const { client } = context.connection;
  return {
    check: () => runAction(context, (workspaceId) => client.backups.check({ workspaceId })),
    keepMonths: (before: string) =>
      runAction(context, (workspaceId) => client.metrics.keepMonths({ workspaceId, before })),
  };
}
