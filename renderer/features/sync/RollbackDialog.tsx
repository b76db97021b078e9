import { Button, Group, Modal, Select } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Rollback } from '../../../shared/api/sync.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { useMedia } from '../../app/shared-queries.ts';
import { Empty } from '../../components/Empty.tsx';
import { useNow } from '../../components/use-now.ts';
import { valueText } from '../../grid/columns.ts';
import { en } from '../../texts/en.ts';
import { enAfterSync } from '../../texts/en-sync-followup.ts';
import { errorText } from '../../texts/errors.ts';
import { fieldName, KIND_NAMES } from '../../texts/fields.ts';
import { countText, timeText } from '../../texts/numbers.ts';
import { syncDialogActions } from './sync-actions.ts';

const text = enAfterSync.takeBack;

/** What would take a sync back, before anything is done: earlier values, what was changed since, and what stays for good. */
export function RollbackDialog({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { store } = useAppContext();
  const actions = useActions(syncDialogActions);
  const { dismiss, showTab } = store.getState();
  const now = useNow();
  const runs = useQuery(api.takeBack.runs.queryOptions({ input: { workspaceId } })).data;
  const [chosen, setChosen] = useState<string | null>(null);
  const runId = chosen ?? runs?.[0]?.runId ?? null;
  const preview = useQuery(
    api.takeBack.preview.queryOptions({ input: runId === null ? skipToken : { workspaceId, runId } }),
  );
  const stage = async (): Promise<void> => {
    if (runId === null || !(await actions.stageTakeBack(runId))) return;
    dismiss();
    showTab('changes');
  };
  const count = preview.data?.changes ?? 0;
  return (
    <Modal opened onClose={dismiss} title={text.title} size={720}>
      {runs !== undefined && runs.length === 0 && <Empty title={text.none} text={text.noneText} />}
      {runs !== undefined && runs.length > 0 && (
        <Select
          size="xs"
          label={text.which}
          data-autofocus
          allowDeselect={false}
          data={runs.map(({ runId: value, at, elements }) => ({ value, label: text.run(timeText(at, now), elements) }))}
          value={runId}
          onChange={setChosen}
        />
      )}
      {preview.error !== null && <p className="note-error">{errorText(preview.error)}</p>}
      {preview.data !== undefined && <Inverse workspaceId={workspaceId} preview={preview.data} />}
      <Group justify="space-between" mt="md">
        <span className="quiet take-back-hint">{text.explain}</span>
        <Group gap="xs">
          <Button onClick={dismiss}>{en.sync.cancel}</Button>
          <Button variant="filled" disabled={count === 0} onClick={() => void stage()}>
            {text.stage(count)}
          </Button>
        </Group>
      </Group>
    </Modal>
  );
}

function Inverse({ workspaceId, preview }: { readonly workspaceId: string; readonly preview: Rollback }) {
  const { names } = useMedia(workspaceId);
  const shown = (
    one: { kind: Rollback['firstChanges'][number]['kind']; field: string },
    value: string | number | null,
  ) => valueText(one.kind, one.field, value, names) || text.empty;
  return (
    <div className="take-back">
      <Part title={text.changes} total={preview.changes}>
        {preview.firstChanges.map((one) => (
          <Line key={`${one.kind} ${one.id} ${one.field}`} one={one}>
            {fieldName(one.field, one.kind)}: <del>{shown(one, one.now)}</del> → <strong>{shown(one, one.back)}</strong>
          </Line>
        ))}
      </Part>
      <Part title={text.changedSince} total={preview.changedSince}>
        {preview.firstChangedSince.map((one) => (
          <Line key={`${one.kind} ${one.id} ${one.field}`} one={one}>
            {fieldName(one.field, one.kind)}: {shown(one, one.now)}
          </Line>
        ))}
      </Part>
      <Part title={text.forGood} total={preview.forGood}>
        {preview.firstForGood.map((one) => (
          <Line key={`${one.kind} ${one.id} ${one.why}`} one={one}>
            {text.why[one.why] ?? one.why}
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
      <h3 className="group-title">
        {title} <span className="badge">{countText(total)}</span>
      </h3>
      <ul className="lines">{children}</ul>
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
  <li className="line">
    <span className="line-text">
      <span className="quiet">{KIND_NAMES[kind].one}</span> {label} · {children}
    </span>
    <span className="line-where quiet">{campaign === label ? '' : campaign}</span>
  </li>
);
