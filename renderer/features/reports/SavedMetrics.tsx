import { Button, Checkbox, Group } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ReportFileAnswer } from '../../../shared/api/metrics.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { reportName } from '../../app/field-names.ts';
import { countText, fullDayText, plural } from '../../app/locale/numbers.ts';
import { Problem } from '../../app/Problem.tsx';
import { grantOf, isRefused } from '../../app/transport/connection.ts';
import { Chip } from '../../components/Chip.tsx';
import { Figures } from '../../components/Figures.tsx';
import { FilePicker } from '../../components/FilePicker.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './reports.module.css';

const texts = {
  keepFresh: 'Keep metrics up to date',
  keepFreshHint: 'Requests new and changed days once a day, never during a sync.',
  problem: (why: string) => `There are no saved metrics: ${why}. Restart Adslate to try again.`,
  monthProblem: (why: string) =>
    `Long periods take longer: months can't be saved in one piece (${why}). Free up disk space, then restart Adslate.`,
  damageProblem: (why: string) =>
    `Damaged days can't be requested again (${why}). Free up disk space, then open the reports again.`,
  add: 'Add report from file…',
  addHint: 'CSV, ZIP or gzip with one row per day. You can also drop the file on this page.',
  title: 'Add a report from a file',
  reading: 'Reading the file…',
  report: 'Report',
  rows: 'Rows',
  days: 'Days to add',
  span: (first: string, last: string) => `${fullDayText(first)} to ${fullDayText(last)}.`,
  skipped: (n: number) => `${plural(n, 'row')} skipped: without a day or an ID.`,
  unreadable: (n: number) => `${plural(n, 'cell')} left empty: no number.`,
  older: (n: number) => `${plural(n, 'day')} skipped: saved from a newer report.`,
  held: (n: number) => `${plural(n, 'day')} on hold: less than half of the saved metrics. Decide in the calendar.`,
  gaps: (n: number) => `${plural(n, 'day')} missing in the file.`,
  none: 'There is no day to add.',
  refused: (name: string, problem: string) =>
    `Can't add ${name}: ${problem}. Export the report as CSV with one row per day, then try again.`,
  apply: (n: number) => `Add ${plural(n, 'day')}`,
  added: (n: number) => `${plural(n, 'day')} added to the saved metrics.`,
  cancel: 'Cancel',
} as const;

interface SavedMetricsProps {
  readonly workspaceId: string;
  /** Called with the report that the user selected. */
  readonly onFile: (file: File | null) => void;
}

/** Keeps the saved metrics complete: requests in the background, and reports that the user has as files. */
export function SavedMetrics({ workspaceId, onFile }: SavedMetricsProps) {
  const actions = useActions(metricActions);
  const picker = useRef<HTMLInputElement>(null);
  const { data } = useQuery(useApi().metrics.settings.queryOptions({ input: { workspaceId } }));
  return (
    <>
      {data !== undefined && data.problem !== '' && <p className={ui['note-error']}>{texts.problem(data.problem)}</p>}
      {data !== undefined && data.monthProblem !== '' && (
        <p className={ui['note-error']}>{texts.monthProblem(data.monthProblem)}</p>
      )}
      {data !== undefined && data.damageProblem !== '' && (
        <p className={ui['note-error']}>{texts.damageProblem(data.damageProblem)}</p>
      )}
      {data !== undefined && (
        <Checkbox
          checked={data.keepFresh}
          label={texts.keepFresh}
          title={texts.keepFreshHint}
          onChange={(event) => void actions.keepFresh(event.currentTarget.checked)}
        />
      )}
      <Chip title={texts.addHint} onClick={() => picker.current?.click()}>
        {texts.add}
      </Chip>
      <FilePicker ref={picker} accept=".csv,.zip,.gz" aria-label={texts.add} onPick={([file = null]) => onFile(file)} />
    </>
  );
}

interface ReportFileProps {
  readonly workspaceId: string;
  readonly file: File;
  readonly onClose: () => void;
}

/** A preview of a report file before its days are added: its content, what is skipped and why. */
export function ReportFile({ workspaceId, file, onClose }: ReportFileProps) {
  const actions = useActions(metricActions);
  const { files, client } = useAppContext().connection;
  const [busy, during] = useBusy();
  const preview = useQuery({
    queryKey: ['report file', workspaceId, file.name, file.lastModified, file.size],
    gcTime: 0,
    retry: false,
    queryFn: async () => {
      const granted = await grantOf(files, file);
      if (isRefused(granted)) throw new ORPCError(granted.code, { defined: true, data: granted.data });
      const input = { grant: granted.grant, modifiedAt: file.lastModified };
      return { input, found: await client.metrics.previewFile({ workspaceId, ...input }) };
    },
  });
  const { found, input } = preview.data ?? {};
  const apply = async (): Promise<void> => {
    if (input !== undefined && (await during(actions.addFile(input)))) onClose();
  };
  return (
    <section className={`${ui['card']} ${styles['report-file']}`} aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p>{file.name}</p>
      {preview.isPending && <p role="status">{texts.reading}</p>}
      <Problem of={preview.error} />
      <Problem of={found?.is === 'refused' ? texts.refused(file.name, found.problem) : null} />
      {found?.is === 'read' && <ReportFileContent {...found} />}
      <Group justify="flex-end">
        <Button onClick={onClose}>{texts.cancel}</Button>
        {found?.is === 'read' && found.taken > 0 && (
          <Button variant="filled" loading={busy} onClick={() => void apply()}>
            {texts.apply(found.taken)}
          </Button>
        )}
      </Group>
    </section>
  );
}

type ReadFile = Extract<ReportFileAnswer, { readonly is: 'read' }>;

function ReportFileContent({ reportType, rows, first, last, taken, held, gaps, ...left }: ReadFile) {
  const notes = [
    left.older > 0 ? texts.older(left.older) : null,
    left.skipped > 0 ? texts.skipped(left.skipped) : null,
    left.unreadable > 0 ? texts.unreadable(left.unreadable) : null,
    held > 0 ? texts.held(held) : null,
    gaps > 0 ? texts.gaps(gaps) : null,
  ].filter((note) => note !== null);
  return (
    <>
      <Figures
        figures={[
          { name: texts.report, value: reportName(reportType) },
          { name: texts.rows, value: countText(rows) },
          { name: texts.days, value: countText(taken) },
        ]}
      />
      <p>{first === null || last === null ? texts.none : texts.span(first, last)}</p>
      {notes.map((note) => (
        <p key={note} className={ui['quiet']}>
          {note}
        </p>
      ))}
    </>
  );
}

function metricActions(context: ActionContext) {
  const { client } = context.connection;
  return {
    keepFresh: async (keepFresh: boolean) => {
      await runAction(context, (workspaceId) => client.metrics.set({ workspaceId, keepFresh }));
    },
    /** @returns whether its days were added */
    addFile: async (file: { readonly grant: string; readonly modifiedAt: number }) => {
      const added = await runAction(context, (workspaceId) => client.metrics.addFile({ workspaceId, ...file }));
      if (added?.is === 'read') context.toasts.tell(texts.added(added.taken));
      return added?.is === 'read';
    },
  };
}
