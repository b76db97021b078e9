import { Button, Slider } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { WINDOW_MAX } from '../../../shared/api/limits.ts';
import type { HistoryStep } from '../../../shared/api/workspace.ts';
import { COMPARED_KINDS } from '../../../shared/model/kinds.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { atStart, countText, fullDayText, plural, shortDayText, timeText } from '../../app/locale/numbers.ts';
import { PageList } from '../../app/PageList.tsx';
import { Problem, Waiting } from '../../app/Problem.tsx';
import { readWhole, usePages } from '../../app/pages.ts';
import { useMedia } from '../../app/shared-queries.ts';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { columnsOf, valueText } from '../../grid/columns.ts';
import { Differences } from './CompareScreen.tsx';
import styles from './compare.module.css';
import { CampaignChoice } from './SideChoice.tsx';

const texts = {
  none: 'No edits yet',
  noneText: 'Every edit is kept. As soon as there are some, you can look at any earlier moment here.',
  moment: 'Moment',
  bars: 'Changes by day',
  day: (day: string, rows: number) => `${day}: ${plural(rows, 'change')}`,
  after: (label: string, when: string) => `after "${label}", ${when}`,
  oldest: 'before the oldest edit',
  look: 'Show',
  looks: { changed: 'Changed since then', rows: 'Rows at that moment' },
  kinds: 'Kinds of rows',
  list: 'Rows at that moment',
  restoreAll: 'Restore all',
  restoreCampaign: 'Restore campaign',
  restoreLabel: (when: string) => `Restore the state ${when}`,
  ask: { title: 'Restore this moment?', keep: 'Cancel', button: 'Restore' },
  askText: (edits: string) => `Reverses all later edits${edits}, in one step that you can undo. Nothing is sent.`,
  ofCampaign: ' of this campaign',
  row: 'Row',
  lastEdits: (shown: number, all: number) =>
    `The last ${countText(shown)} of ${countText(all)} edits. Backups have earlier ones.`,
} as const;

/** The most steps on the slider; older states are restored from backups. */
const STEPS_MAX = 5000;

type Step = HistoryStep;

/** The account in the past: a slider over its history, the changes since then, and the rows at that time, read-only. */
export function TimeMachineScreen({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const history = useQuery({
    queryKey: api.workspace.history.queryKey({ input: { workspaceId, from: 0, count: STEPS_MAX } }),
    queryFn: async () => {
      let total = 0;
      const steps = await readWhole(
        async (from, count) => {
          const page = await api.workspace.history.call({ workspaceId, from, count });
          ({ total } = page);
          return page;
        },
        ({ steps }) => steps,
        STEPS_MAX,
        WINDOW_MAX,
      );
      return { steps, total };
    },
  });
  if (history.data === undefined) return <Waiting error={history.error} />;
  const { steps: read, total } = history.data;
  const steps = read.filter(({ undone }) => !undone).toReversed();
  if (steps.length === 0) return <Empty heading title={texts.none} text={texts.noneText} />;
  const limit = total > read.length ? texts.lastEdits(read.length, total) : null;
  return <Moments workspaceId={workspaceId} steps={steps} limit={limit} />;
}

interface MomentsProps {
  readonly workspaceId: string;
  readonly steps: readonly Step[];
  /** How many of the edits these are, if they are not all. */
  readonly limit: string | null;
}

function Moments({ workspaceId, steps, limit }: MomentsProps) {
  const { store, actions } = useAppContext();
  const now = useNow();
  const chosen = useView((s) => s.moment);
  const [look, setLook] = useState<'changed' | 'rows'>('changed');
  const [campaignId, setCampaignId] = useState<Parameters<typeof CampaignChoice>[0]['value']>(null);
  // 0 means before all steps. A step that was undone in the meantime is not among them.
  const at = chosen === 0 ? 0 : steps.findIndex(({ id }) => id === chosen) + 1 || Math.max(0, steps.length - 1);
  const step = steps[at - 1];
  const stepId = step?.id ?? 0;
  const name = step === undefined ? texts.oldest : texts.after(step.label, timeText(step.at, now));
  const restore = (): void => {
    const scope = campaignId === null ? { all: true as const } : { campaignId };
    const run = (): void => void actions.bringBack(stepId, scope, texts.restoreLabel(name));
    const text = texts.askText(campaignId === null ? '' : texts.ofCampaign);
    store.getState().show({ name: 'confirm', ...texts.ask, text, run });
  };
  return (
    <div className={styles['screen']}>
      <div className={styles['strip']}>
        <DayBars steps={steps} at={at} />
        <Slider
          label={null}
          thumbLabel={texts.moment}
          min={0}
          max={steps.length}
          step={1}
          value={at}
          onChange={(next) => store.getState().chooseMoment(steps[next - 1]?.id ?? 0)}
        />
      </div>
      <div className={styles['bar']}>
        <strong role="status">{atStart(name)}</strong>
        {limit !== null && <span className={ui['quiet']}>{limit}</span>}
        <span className={ui['toolbar-gap']} />
        <CampaignChoice of={workspaceId} value={campaignId} onChoose={setCampaignId} />
        <Button variant="filled" disabled={at === steps.length} onClick={restore}>
          {campaignId === null ? texts.restoreAll : texts.restoreCampaign}
        </Button>
      </div>
      <div className={styles['bar']}>
        <ChipChoice
          label={texts.look}
          choices={(['changed', 'rows'] as const).map((value) => ({ value, name: texts.looks[value] }))}
          chosen={look}
          onChoose={setLook}
        />
      </div>
      {look === 'changed' ? (
        <Changed key={`${stepId} ${campaignId}`} workspaceId={workspaceId} stepId={stepId} campaignId={campaignId} />
      ) : (
        <RowsThen workspaceId={workspaceId} stepId={stepId} campaignId={campaignId} />
      )}
    </div>
  );
}

interface MomentProps {
  readonly workspaceId: string;
  readonly stepId: number;
  readonly campaignId: Parameters<typeof CampaignChoice>[0]['value'];
}

function Changed({ workspaceId, stepId, campaignId }: MomentProps) {
  const api = useApi();
  const input = {
    workspaceId,
    left: { is: 'now' as const, campaignId },
    right: { is: 'moment' as const, step: stepId, campaignId },
  };
  const { data, error } = useQuery(api.compare.open.queryOptions({ input }));
  if (error !== null) return <Problem of={error} />;
  if (data === undefined) return <Waiting />;
  return <Differences workspaceId={workspaceId} opened={data} isWritable sides="moment" />;
}

/** Fields that are part of a row's name. */
const NAMING: Readonly<Partial<Record<(typeof COMPARED_KINDS)[number], readonly string[]>>> = {
  campaign: ['name'],
  adGroup: ['name'],
  keyword: ['text', 'matchType'],
  placementMultiplier: ['placement'],
  platformMultiplier: ['platform'],
};

/** The rows of a kind at the selected step. */
function RowsThen({ workspaceId, stepId, campaignId }: MomentProps) {
  const api = useApi();
  const { names } = useMedia(workspaceId);
  const [kind, setKind] = useState<(typeof COMPARED_KINDS)[number]>('campaign');
  const list = usePages(
    (from, count) =>
      api.history.rowsAt.queryOptions({ input: { workspaceId, step: stepId, kind, campaignId, from, count } }),
    ({ rows }) => rows,
  );
  const columns = columnsOf(kind, false).filter(
    ({ spec, cell, field }) => cell !== null && spec?.owner !== 'service' && !NAMING[kind]?.includes(field),
  );
  return (
    <>
      <div className={styles['bar']}>
        <ChipChoice
          label={texts.kinds}
          choices={COMPARED_KINDS.map((value) => ({ value, name: KIND_NAMES[value].many }))}
          chosen={kind}
          onChoose={setKind}
        />
      </div>
      <div className={styles['heads']} aria-hidden="true">
        <div className={ui['line']}>
          <span className={styles['row']}>{texts.row}</span>
          {columns.map(({ field, title }) => (
            <span key={field} className={styles['value']} title={title}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <PageList
        list={list}
        label={texts.list}
        resetOn={`${stepId} ${kind} ${campaignId}`}
        line={(row) => (
          <div className={ui['line']}>
            <span className={styles['row']}>{row.label}</span>
            {columns.map(({ field, title, cell }) => (
              <span key={field} className={styles['value']} title={title}>
                {valueText(kind, field, row.cells[cell ?? 0] ?? null, names)}
              </span>
            ))}
          </div>
        )}
      />
    </>
  );
}

/** With more bars than this there is no room for days, which are then in tooltips only. */
const NAMED_DAYS = 10;

/** The local day of a time. */
const dayOf = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

/** Bars above the slider: rows changed on each day. Days after the selected step are faded. */
function DayBars({ steps, at }: { readonly steps: readonly Step[]; readonly at: number }) {
  const days = new Map<string, { rows: number; steps: number; isAfter: boolean }>();
  for (const [i, step] of steps.entries()) {
    const day = dayOf(step.at);
    const known = days.get(day) ?? { rows: 0, steps: 0, isAfter: i >= at };
    days.set(day, { rows: known.rows + step.rows, steps: known.steps + 1, isAfter: known.isAfter && i >= at });
  }
  const most = Math.max(1, ...[...days.values()].map(({ rows }) => rows));
  return (
    <ul className={styles['days']} aria-label={texts.bars}>
      {[...days].map(([day, { rows, steps: width, isAfter }]) => (
        <li key={day} title={texts.day(fullDayText(day), rows)} style={{ flexGrow: width }}>
          <span className={ui['spoken-only']}>{texts.day(fullDayText(day), rows)}</span>
          <span aria-hidden="true" className={styles['day-track']}>
            <span
              className={isAfter ? styles['later'] : undefined}
              style={{ height: `${Math.max(8, (100 * rows) / most)}%` }}
            />
          </span>
          {days.size <= NAMED_DAYS && (
            <span aria-hidden="true" className={ui['quiet']}>
              {shortDayText(day)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
