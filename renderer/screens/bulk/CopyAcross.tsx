import { Button, Group } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { Account } from '../../../shared/contract/accounts.ts';
import type { CopyAcrossPreview } from '../../../shared/contract/copy-across.ts';
import { type Kind, PARENT_OF } from '../../../shared/model/kinds.ts';
import type { CopyAcrossWish } from '../../actions/bulk-actions.ts';
import type { SelectedScope } from '../../app/bulk-doings.ts';
import { useAppContext } from '../../app/desk.ts';
import { firstRows } from '../../data/row-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { bytesText, countText } from '../../messages/numbers.ts';
import { Figures, type ShownFigure } from '../../ui/Figures.tsx';
import { CampaignChoice } from './CampaignChoice.tsx';
import { LeftBehind } from './LeftBehind.tsx';

interface CopyAcrossProps {
  readonly workspaceId: string;
  readonly target: Account;
  readonly kind: Kind;
  readonly selected: SelectedScope;
}

interface Shown {
  readonly preview: CopyAcrossPreview | null;
  readonly problem: string | null;
}
const NOTHING: Shown = { preview: null, problem: null };

/** Copies the selected rows, with what hangs from them and their files, into another account as drafts there. */
export function CopyAcross({ workspaceId, target, kind, selected: { scope, count } }: CopyAcrossProps) {
  const { store, actions, notes } = useAppContext();
  const { dismiss, reveal } = store.getState();
  const [campaign, setCampaign] = useState<number | null>(null);
  const [shown, setShown] = useState<Shown>(NOTHING);
  const [busy, setBusy] = useState(false);
  const parentKind = PARENT_OF[kind];
  const groups = useQuery(
    parentKind === 'adGroup' && campaign !== null ? firstRows(target.workspaceId, 'adGroup', campaign) : null,
  ).data;
  const parent = parentKind === 'campaign' ? campaign : (groups?.[0]?.id ?? null);
  const to = parentKind === 'account' || parent === null ? null : { kind: parentKind, id: parent };
  const asked: CopyAcrossWish | null =
    parentKind !== 'account' && to === null ? null : { workspaceId, scope, target: target.workspaceId, to };
  const key = asked === null ? null : JSON.stringify(asked);

  useEffect(() => {
    setShown(NOTHING);
    if (key === null) return;
    let over = false;
    void actions.previewAcross(JSON.parse(key)).then((answer) => {
      if (over) return;
      setShown(answer.ok ? { preview: answer.value, problem: null } : { preview: null, problem: answer.error });
    });
    return () => {
      over = true;
    };
  }, [actions, key]);

  const apply = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (asked === null || shown.preview === null || busy) return;
    setBusy(true);
    const done = await actions.applyAcross(asked, en.copies.acrossLabel(count));
    setBusy(false);
    if (done === null) return;
    dismiss();
    const [first] = done.roots;
    actions.openAccount(target.workspaceId);
    if (first !== undefined) reveal(first.kind, null, first.id, null);
    notes.tell(en.copies.madeIn(done.created, target.name));
  };
  const { preview, problem } = shown;
  return (
    <form onSubmit={(event) => void apply(event)}>
      {parentKind !== 'account' && (
        <CampaignChoice workspaceId={target.workspaceId} chosen={campaign} onChoose={setCampaign} />
      )}
      {groups !== undefined && groups.length === 0 && (
        <p className="note-error" role="alert">
          {en.copies.noGroup}
        </p>
      )}
      {problem !== null && (
        <p className="note-error" role="alert">
          {problem}
        </p>
      )}
      {preview !== null && (
        <>
          <Figures label={en.copies.coming} figures={comingOf(preview)} />
          <LeftBehind preview={preview} />
        </>
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        <Button onClick={dismiss}>{en.bulk.cancel}</Button>
        <Button type="submit" variant="filled" disabled={(preview?.created ?? 0) === 0} loading={busy}>
          {en.copies.acrossButton(target.name)}
        </Button>
      </Group>
    </form>
  );
}

/** How much would come, kind by kind, and the files along with it. */
function comingOf({ byKind, media }: CopyAcrossPreview): readonly ShownFigure[] {
  const rows = byKind.map(({ kind, rows: count }) => ({
    name: count === 1 ? KIND_NAMES[kind].one : KIND_NAMES[kind].many,
    value: countText(count),
  }));
  if (media.files === 0) return rows;
  return [...rows, { name: en.copies.files(media.files, bytesText(media.bytes)), value: countText(media.files) }];
}
