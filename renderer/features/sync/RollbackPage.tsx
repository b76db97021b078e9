import { Button, Select } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Rollback } from '../../../shared/api/sync.ts';
import { NOT_REVERSIBLE } from '../../../shared/plan/rollback-plan.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { atStart, countText, plural, timeText } from '../../app/locale/numbers.ts';
import { Problem, Waiting } from '../../app/Problem.tsx';
import { takeFocus } from '../../app/pane-focus.ts';
import { useMedia } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { valueText } from '../../grid/columns.ts';
import { Head } from './RunPage.tsx';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';

const texts = {
  title: 'Roll back a sync',
  which: 'Sync',
  run: (time: string, elements: number) => `${time}, ${plural(elements, 'change')}`,
  none: 'No sync to roll back',
  noneText: 'After a sync, you can restore the previous values here.',
  explain: 'Restores the previous values as unsynced changes, in one step. Nothing is sent until you sync.',
  changes: 'Values to restore',
  forGood: "Can't be rolled back",
  changedSince: 'Changed since then and not restored',
  empty: '(empty)',
  stage: (n: number) => `Restore ${plural(n, 'value')}`,
} as const;

interface RollbackPageProps {
  readonly workspaceId: string;
  readonly onClose: () => void;
}

/** A preview of rolling back a sync: earlier values, later changes, and what can't be rolled back. */
export function RollbackPage({ workspaceId, onClose }: RollbackPageProps) {
  const api = useApi();
  const actions = useActions(syncDialogActions);
  const { openSync } = useAppContext().store.getState();
  const now = useNow();
  const listed = useQuery(api.rollback.runs.queryOptions({ input: { workspaceId } }));
  const runs = listed.data;
  const [chosen, setChosen] = useState<string | null>(null);
  const runId = chosen ?? runs?.[0]?.runId ?? null;
  const preview = useQuery(
    api.rollback.preview.queryOptions({ input: runId === null ? skipToken : { workspaceId, runId } }),
  );
  const stage = async (): Promise<void> => {
    // The next plan shows the restored values.
    if (runId !== null && (await actions.stageRollback(runId))) openSync();
  };
  const count = preview.data?.changes ?? 0;
  return (
    <>
      <Head title={texts.title} text={texts.explain}>
        <Button ref={takeFocus} variant="subtle" color="gray" onClick={onClose}>
          {appTexts.close}
        </Button>
        <Button
          variant="filled"
          classNames={{ root: styles['primary'] }}
          disabled={count === 0}
          onClick={() => void stage()}
        >
          {texts.stage(count)}
        </Button>
      </Head>
      <div className={styles['scrolled']}>
        {runs === undefined && <Waiting error={listed.error} onRetry={() => void listed.refetch()} />}
        {runs !== undefined && runs.length === 0 && <Empty title={texts.none} text={texts.noneText} />}
        {runs !== undefined && runs.length > 0 && (
          <Select
            size="xs"
            maw={320}
            label={texts.which}
            allowDeselect={false}
            data={runs.map(({ runId: value, at, elements }) => ({
              value,
              label: texts.run(timeText(at, now), elements),
            }))}
            value={runId}
            onChange={setChosen}
          />
        )}
        <Problem of={preview.error} />
        {preview.data !== undefined && <Inverse workspaceId={workspaceId} preview={preview.data} />}
      </div>
    </>
  );
}

function Inverse({ workspaceId, preview }: { readonly workspaceId: string; readonly preview: Rollback }) {
  const { names } = useMedia(workspaceId);
  const shown = (
    one: { kind: Rollback['firstChanges'][number]['kind']; field: string },
    value: string | number | null,
  ) => valueText(one.kind, one.field, value, names) || texts.empty;
  return (
    <div>
      <Part title={texts.changes} total={preview.changes}>
        {preview.firstChanges.map((one) => (
          <Line key={`${one.kind} ${one.id} ${one.field}`} one={one}>
            {fieldName(one.field, one.kind)}: <del>{shown(one, one.now)}</del> →{' '}
            <ins className={styles['plan-new']}>{shown(one, one.back)}</ins>
          </Line>
        ))}
      </Part>
      <Part title={texts.changedSince} total={preview.changedSince}>
        {preview.firstChangedSince.map((one) => (
          <Line key={`${one.kind} ${one.id} ${one.field}`} one={one}>
            {fieldName(one.field, one.kind)}: {shown(one, one.now)}
          </Line>
        ))}
      </Part>
      <Part title={texts.forGood} total={preview.forGood}>
        {preview.firstForGood.map((one) => (
          <Line key={`${one.kind} ${one.id} ${one.why}`} one={one}>
            {NOT_REVERSIBLE[one.why] ?? one.why}
          </Line>
        ))}
      </Part>
    </div>
  );
}

function Part({
  title,
  total,
  children,
}: {
  readonly title: string;
  readonly total: number;
  readonly children: ReactNode;
}) {
  if (total === 0) return null;
  return (
    <section>
      <h2 className={ui['group-title']}>
        {title} <span className={ui['badge']}>{countText(total)}</span>
      </h2>
      <ul className={ui['lines']}>{children}</ul>
    </section>
  );
}

interface LineProps {
  readonly one: {
    readonly kind: Rollback['firstChanges'][number]['kind'];
    readonly label: string;
    readonly campaign: string;
  };
  readonly children: ReactNode;
}

const Line = ({ one: { kind, label, campaign }, children }: LineProps) => (
  <li className={ui['line']}>
    <span className={ui['line-text']}>
      <span className={ui['quiet']}>{atStart(KIND_NAMES[kind].one)}</span> {label} · {children}
    </span>
    <span className={`${ui['line-where']} ${ui['quiet']}`}>{campaign === label ? '' : campaign}</span>
  </li>
);
