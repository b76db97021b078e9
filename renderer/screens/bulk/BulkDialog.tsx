import { Button, Group, Modal, NativeSelect, Progress, SegmentedControl } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useAppContext, useView } from '../../app/desk.ts';
import { useAccountView } from '../../data/use-account-view.ts';
import { useMedia } from '../../data/use-media.ts';
import type { OpenView } from '../../data/window-source.ts';
import { en } from '../../messages/en.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';
import { rangeOf } from '../../store/selection-slice.ts';
import { PreviewTable } from './PreviewTable.tsx';
import { ToolFields } from './ToolFields.tsx';
import { EMPTY_FORM, fieldsFor, labelOf, type ToolName, toolOf, toolsFor, withTool } from './tool-form.ts';
import { usePreview } from './use-preview.ts';

/** How many fields stand side by side. A sum has its limits and its rounding in one line below it. */
const GRIDS: Readonly<Record<ToolName, string>> = {
  set: 'form-two',
  amount: 'form-four',
  replace: 'form-three',
  append: 'form-three',
  case: 'form-two',
};

interface BulkDialogProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  /** Tool and field to begin with, when the dialog was opened for one. */
  readonly tool: ToolName;
  readonly field: string;
}

/** One change over the selected rows or the whole view, seen as old and new values before it is made. */
export function BulkDialog({ workspaceId, view, tool: firstTool, field }: BulkDialogProps) {
  const { store, actions, notes } = useAppContext();
  const { dismiss } = store.getState();
  const { kind, campaignId, filter, only } = view.source.request;
  const isNarrowed = campaignId !== null || filter !== '' || only !== 'all';
  const length = view.source.length();
  const [selection] = useState(() => rangeOf(store.getState(), 1));
  const selected = Math.min(selection.bottom, length - 1) - selection.top + 1;
  const [scopeOf, setScopeOf] = useState<'selection' | 'view' | 'account'>(selected < 2 ? 'view' : 'selection');
  const account = useAccountView(workspaceId, kind, scopeOf === 'account');
  const [form, setForm] = useState(() => withTool({ ...EMPTY_FORM, field }, kind, firstTool));
  const [jobId, setJobId] = useState<string | null>(null);
  const progress = useView((s) => (jobId === null ? null : s.tasks[jobId]?.rows));
  const { names } = useMedia(workspaceId);
  const scopeId = useId();

  const tool = toolOf(form, kind);
  const ranges = scopeOf === 'selection' ? [{ from: selection.top, count: selected }] : null;
  const viewId = scopeOf === 'account' ? account?.viewId : view.source.viewId();
  const scope = viewId === undefined ? null : { viewId, ranges };
  const { preview, problem, waiting } = usePreview(scope, tool.ok ? tool.value : null);
  const complaint = tool.ok ? problem : tool.error;
  const cells = preview?.cells ?? 0;

  const apply = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!tool.ok || tool.value === null || scope === null || cells === 0 || jobId !== null) return;
    const job = crypto.randomUUID();
    setJobId(job);
    const done = await actions.applyTool(scope, tool.value, labelOf(form, fieldName(form.field)), job);
    setJobId(null);
    if (done === null) return;
    dismiss();
    notes.tell(en.bulk.done(done.cells));
  };
  return (
    <Modal opened onClose={dismiss} title={`${en.bulk.title}: ${KIND_NAMES[kind].many}`} size={720}>
      <form onSubmit={(event) => void apply(event)} noValidate>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={en.bulk.tool}
          data={toolsFor(kind).map((value) => ({ value, label: en.bulk.tools[value] }))}
          value={form.tool}
          onChange={(value) => {
            const next = toolsFor(kind).find((each) => each === value);
            if (next !== undefined) setForm((before) => withTool(before, kind, next));
          }}
        />
        <fieldset className="scope" aria-labelledby={scopeId}>
          <legend id={scopeId} className="spoken-only">
            {en.bulk.scope}
          </legend>
          {selected > 0 && (
            <label>
              <input
                type="radio"
                name="scope"
                checked={scopeOf === 'selection'}
                onChange={() => setScopeOf('selection')}
              />{' '}
              {en.bulk.selected(selected)}
            </label>
          )}
          <label>
            <input type="radio" name="scope" checked={scopeOf === 'view'} onChange={() => setScopeOf('view')} />{' '}
            {en.bulk.view(length)}
          </label>
          {isNarrowed && (
            <label>
              <input type="radio" name="scope" checked={scopeOf === 'account'} onChange={() => setScopeOf('account')} />{' '}
              {account === null ? en.bulk.accountUncounted : en.bulk.account(account.length)}
            </label>
          )}
        </fieldset>
        <div className={GRIDS[form.tool]}>
          <NativeSelect
            className={form.tool === 'amount' ? 'form-half' : ''}
            label={en.bulk.field}
            size="xs"
            data={fieldsFor(kind, form.tool).map((column) => ({ value: column.field, label: column.title }))}
            value={form.field}
            onChange={(event) => {
              const next = event.currentTarget.value;
              setForm((before) => ({ ...before, field: next, value: '' }));
            }}
          />
          <ToolFields
            kind={kind}
            form={form}
            onChange={(changes) => setForm((before) => ({ ...before, ...changes }))}
          />
        </div>
        {complaint !== null && (
          <p className="note-error preview-problem" role="alert">
            {complaint}
          </p>
        )}
        <div className="preview-room">
          {preview !== null && <PreviewTable preview={preview} media={names} waiting={waiting} />}
        </div>
        {jobId !== null && progress !== null && progress !== undefined && (
          <div className="preview-progress">
            <Progress value={(100 * progress.done) / Math.max(1, progress.total)} aria-label={en.bulk.preview} />
            <span className="quiet numeric">{en.bulk.working(progress.done, progress.total)}</span>
          </div>
        )}
        <Group justify="flex-end" mt="sm" gap="xs">
          {jobId === null ? (
            <Button onClick={dismiss}>{en.bulk.cancel}</Button>
          ) : (
            <Button onClick={() => void actions.cancelTask(jobId)}>{en.bulk.stop}</Button>
          )}
          <Button type="submit" variant="filled" disabled={cells === 0 || waiting} loading={jobId !== null}>
            {en.bulk.apply(cells)}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
