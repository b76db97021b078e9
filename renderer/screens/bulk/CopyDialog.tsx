import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { BulkTool } from '../../../shared/contract/bulk.ts';
import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { PARENT_OF } from '../../../shared/model/kinds.ts';
import { selectionScope } from '../../app/bulk-doings.ts';
import { useDesk } from '../../app/desk.ts';
import { campaignsNamed, firstRows } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import type { OpenView } from '../../data/use-window-source.ts';
import { en } from '../../messages/en.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';
import { usePreview } from './use-preview.ts';

/** Copies the selected rows below another campaign as new drafts, or moves them there. */
export function CopyDialog({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView }) {
  const desk = useDesk();
  const { dismiss, goTo } = desk.store.getState();
  const { kind } = view.source.request;
  const [{ scope, count }] = useState(() => selectionScope(desk, view));
  const [text, setText] = useState('');
  const [target, setTarget] = useState<WindowRow['id'] | null>(null);
  const [move, setMove] = useState(false);
  const [busy, setBusy] = useState(false);
  const campaigns = useQuery(campaignsNamed(workspaceId, text)).data ?? [];
  const groups = useQuery(target === null ? null : firstRows(workspaceId, 'adGroup', target)).data;

  const group = groups?.[0];
  const parent = PARENT_OF[kind] === 'campaign' ? target : (group?.id ?? null);
  const parentKind = PARENT_OF[kind] === 'campaign' ? ('campaign' as const) : ('adGroup' as const);
  const to = target === null || parent === null ? null : { kind: parentKind, id: parent };
  const tool: BulkTool | null = to === null ? null : move ? { tool: 'move', to } : { tool: 'copy', to };
  const { preview, problem, waiting } = usePreview(scope, tool);

  const apply = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (tool === null || target === null || preview === null) return;
    setBusy(true);
    const { labels } = en.bulk;
    const done = await desk.actions.applyTool(scope, tool, move ? labels.move(count) : labels.copy(count));
    setBusy(false);
    if (done === null) return;
    dismiss();
    goTo({ kind, campaignId: target });
    desk.notes.tell(en.copies.made(done.created));
  };
  return (
    <Modal opened onClose={dismiss} title={en.copies.title} size={520}>
      <form onSubmit={(event) => void apply(event)}>
        <p className="quiet">{en.copies.what(count, KIND_NAMES[kind].many)}</p>
        <input
          className="input target-filter"
          data-autofocus
          aria-label={en.copies.find}
          placeholder={en.copies.find}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <fieldset className="targets">
          <legend className="spoken-only">{en.copies.target}</legend>
          {campaigns.length === 0 && <p className="quiet">{en.copies.none}</p>}
          {campaigns.map((row) => (
            <label key={row.id} className="target">
              <input type="radio" name="target" checked={target === row.id} onChange={() => setTarget(row.id)} />
              <span className="nav-name">{row.campaignName}</span>
            </label>
          ))}
        </fieldset>
        <Checkbox
          size="xs"
          mt="xs"
          label={en.copies.move}
          checked={move}
          onChange={(event) => setMove(event.currentTarget.checked)}
        />
        {groups !== undefined && group === undefined && (
          <p className="note-error" role="alert">
            {en.copies.noGroup}
          </p>
        )}
        {problem !== null && (
          <p className="note-error" role="alert">
            {problem}
          </p>
        )}
        {preview !== null && preview.dropped.length > 0 && (
          <p className="quiet preview-left">
            {en.copies.dropped}{' '}
            {preview.dropped.map(({ field, rows }) => en.copies.droppedField(fieldName(field), rows)).join(', ')}
          </p>
        )}
        {preview !== null && preview.refused.length > 0 && (
          <p className="preview-left">
            <span className="grid-mark-warning">{en.bulk.leftAlone}:</span>{' '}
            {preview.refused.map(({ why, rows }) => en.bulk.refused(rows, en.bulk.why[why])).join('; ')}
          </p>
        )}
        <Group justify="flex-end" mt="md" gap="xs">
          <Button onClick={dismiss}>{en.bulk.cancel}</Button>
          <Button type="submit" variant="filled" disabled={(preview?.created ?? 0) === 0 || waiting} loading={busy}>
            {move ? en.copies.moveButton(count) : en.copies.button(count)}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
