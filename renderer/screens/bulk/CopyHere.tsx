import { Button, Checkbox, Group } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { BulkTool } from '../../../shared/contract/bulk.ts';
import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { type Kind, PARENT_OF } from '../../../shared/model/kinds.ts';
import type { SelectedScope } from '../../app/bulk-doings.ts';
import { useAppContext } from '../../app/desk.ts';
import { firstRows } from '../../data/row-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { CampaignChoice } from './CampaignChoice.tsx';
import { LeftBehind } from './LeftBehind.tsx';
import { usePreview } from './use-preview.ts';

interface CopyHereProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly selected: SelectedScope;
}

/** Copies the selected rows below another campaign of the account as new drafts, or moves them there. */
export function CopyHere({ workspaceId, kind, selected: { scope, count } }: CopyHereProps) {
  const desk = useAppContext();
  const { dismiss, goTo } = desk.store.getState();
  const [target, setTarget] = useState<WindowRow['id'] | null>(null);
  const [move, setMove] = useState(false);
  const [busy, setBusy] = useState(false);
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
    <form onSubmit={(event) => void apply(event)}>
      <CampaignChoice workspaceId={workspaceId} chosen={target} onChoose={setTarget} />
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
      {preview !== null && <LeftBehind preview={preview} />}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={dismiss}>{en.bulk.cancel}</Button>
        <Button type="submit" variant="filled" disabled={(preview?.created ?? 0) === 0 || waiting} loading={busy}>
          {move ? en.copies.moveButton(count) : en.copies.button(count)}
        </Button>
      </Group>
    </form>
  );
}
