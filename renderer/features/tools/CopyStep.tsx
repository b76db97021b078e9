import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Account } from '../../../shared/api/accounts.ts';
import type { BulkPreview, BulkScope, BulkTool, CopyAcrossPreview } from '../../../shared/api/bulk.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { type Kind, PARENT_OF } from '../../../shared/model/kinds.ts';
import { type ActionContext, inWords, runEdit } from '../../app/actions.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { CampaignChoice } from '../../app/CampaignChoice.tsx';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { bytesText, countText, plural } from '../../app/locale/numbers.ts';
import { droppedText } from '../../app/move-commands.ts';
import { Problem } from '../../app/Problem.tsx';
import { useRows } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { Figures, type ShownFigure } from '../../components/Figures.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import type { OpenView } from '../../grid/window.ts';
import { ToolFrame, usePreview, useToolScope } from './ToolFrame.tsx';
import styles from './tools.module.css';

const texts = {
  move: 'Move instead: delete the originals with the next sync',
  button: (n: number) => `Copy ${plural(n, 'row')}`,
  moveButton: (n: number) => `Move ${plural(n, 'row')}`,
  account: 'Account',
  thisAccount: (name: string) => `${name} (current account)`,
  noOther: 'This computer has no other account. To duplicate rows in place, press Alt+D.',
  coming: 'Will be copied',
  files: (n: number, size: string) => `${n === 1 ? 'file' : 'files'}, ${size}`,
  acrossLabel: (n: number) => `Copy ${plural(n, 'row')} from another account`,
  acrossButton: (account: string) => `Copy to ${account}`,
  madeIn: (n: number, account: string) =>
    `${plural(n, 'row')} copied to ${account} as ${n === 1 ? 'a draft' : 'drafts'}.`,
} as const;

/** Copies rows to another campaign of this account, or to another account. */
export function CopyStep({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView }) {
  const { kind } = view.source.request;
  const rows = useToolScope(workspaceId, view);
  const [chosen, setChosen] = useState<string | null>(null);
  const all = useQuery(useApi().accounts.list.queryOptions()).data ?? [];
  // Rows that belong directly to the account can't be copied within it.
  const offered = all.filter((account) => PARENT_OF[kind] !== 'account' || account.workspaceId !== workspaceId);
  const target = offered.find((account) => account.workspaceId === chosen) ?? offered[0];
  if (target === undefined) return <p className={styles['body']}>{texts.noOther}</p>;
  const head = (
    <>
      {rows.control}
      <ChoiceField
        label={texts.account}
        options={offered.map((account) => [
          account.workspaceId,
          account.workspaceId === workspaceId ? texts.thisAccount(account.name) : account.name,
        ])}
        value={target.workspaceId}
        onChoose={setChosen}
      />
    </>
  );
  const props = { workspaceId, kind, rows, head };
  return target.workspaceId === workspaceId ? (
    <CopyHere {...props} />
  ) : (
    <CopyAcross key={target.workspaceId} {...props} target={target} />
  );
}

interface CopyProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly rows: ReturnType<typeof useToolScope>;
  /** The choice of rows and of the target account. */
  readonly head: ReactNode;
}

interface Shown {
  readonly preview: CopyAcrossPreview | null;
  readonly problem: string | null;
}
const NOTHING: Shown = { preview: null, problem: null };

/** Copies the selected rows with their child rows and files to another account, as drafts. */
function CopyAcross({ workspaceId, target, kind, rows, head }: CopyProps & { readonly target: Account }) {
  const { scope, count } = rows;
  const { store, actions, toasts } = useAppContext();
  const across = useActions(copyAcrossActions);
  const { closePane, reveal } = store.getState();
  const [campaign, setCampaign] = useState<number | null>(null);
  const [shown, setShown] = useState<Shown>(NOTHING);
  const [busy, during] = useBusy();
  const parentKind = PARENT_OF[kind];
  const groups = useRows(
    target.workspaceId,
    parentKind === 'adGroup' && campaign !== null ? { kind: 'adGroup', campaignId: campaign } : null,
  ).data?.rows;
  const parent = parentKind === 'campaign' ? campaign : (groups?.[0]?.id ?? null);
  const to = parentKind === 'account' || parent === null ? null : { kind: parentKind, id: parent };
  const asked: CopyAcrossOptions | null =
    scope === null || (parentKind !== 'account' && to === null)
      ? null
      : { workspaceId, scope, target: target.workspaceId, to };
  const key = asked === null ? null : JSON.stringify(asked);

  useEffect(() => {
    setShown(NOTHING);
    if (key === null) return;
    let over = false;
    void across.previewAcross(JSON.parse(key)).then((answer) => {
      if (over) return;
      setShown(answer.ok ? { preview: answer.value, problem: null } : { preview: null, problem: answer.error });
    });
    return () => {
      over = true;
    };
  }, [across, key]);

  const apply = async (): Promise<void> => {
    if (asked === null || shown.preview === null || busy) return;
    const done = await during(across.applyAcross(asked, texts.acrossLabel(count)));
    if (done === null) return;
    // Another account may be open by now, and stays open.
    if (store.getState().workspaceId === workspaceId) {
      closePane();
      const [first] = done.roots;
      actions.openAccount(target.workspaceId);
      if (first !== undefined) reveal(first.kind, null, first.id, null);
    }
    toasts.tell(texts.madeIn(done.created, target.name));
  };
  const { preview, problem } = shown;
  return (
    <ToolFrame
      label={texts.acrossButton(target.name)}
      disabled={(preview?.created ?? 0) === 0}
      busy={busy}
      onApply={() => void apply()}
    >
      {head}
      {parentKind !== 'account' && (
        <CampaignChoice workspaceId={target.workspaceId} chosen={campaign} onChoose={setCampaign} />
      )}
      {groups !== undefined && groups.length === 0 && <Problem of={dialogTexts.copies.noGroup} />}
      <Problem of={problem} />
      {preview !== null && (
        <>
          <Figures label={texts.coming} figures={addedCounts(preview)} />
          <NotCopied preview={preview} />
        </>
      )}
    </ToolFrame>
  );
}

/** The number of rows by kind, and of files, that a copy adds. */
function addedCounts({ byKind, media }: CopyAcrossPreview): readonly ShownFigure[] {
  const rows = byKind.map(({ kind, rows: count }) => ({
    name: count === 1 ? KIND_NAMES[kind].one : KIND_NAMES[kind].many,
    value: countText(count),
  }));
  if (media.files === 0) return rows;
  return [...rows, { name: texts.files(media.files, bytesText(media.bytes)), value: countText(media.files) }];
}

/** Copies rows to another campaign of the account as new drafts, or moves them there. */
function CopyHere({ workspaceId, kind, rows, head }: CopyProps) {
  const app = useAppContext();
  const { scope, count } = rows;
  const { closePane, goTo } = app.store.getState();
  const [target, setTarget] = useState<WindowRow['id'] | null>(null);
  const [move, setMove] = useState(false);
  const [busy, during] = useBusy();
  const groups = useRows(workspaceId, target === null ? null : { kind: 'adGroup', campaignId: target }).data?.rows;

  const group = groups?.[0];
  const parent = PARENT_OF[kind] === 'campaign' ? target : (group?.id ?? null);
  const parentKind = PARENT_OF[kind] === 'campaign' ? ('campaign' as const) : ('adGroup' as const);
  const to = target === null || parent === null ? null : { kind: parentKind, id: parent };
  const tool: BulkTool | null = to === null ? null : move ? { tool: 'move', to } : { tool: 'copy', to };
  const { preview, problem, waiting } = usePreview(workspaceId, scope, tool);

  const apply = async (): Promise<void> => {
    if (tool === null || scope === null || target === null || preview === null || busy) return;
    const { labels } = appTexts.bulk;
    const done = await during(app.actions.applyTool(scope, tool, move ? labels.move(count) : labels.copy(count)));
    if (done === null) return;
    // Another account may be open by now, in which this number is another campaign.
    if (app.store.getState().workspaceId === workspaceId) {
      closePane();
      goTo({ kind, campaignId: target });
    }
    app.toasts.tell(appTexts.copies.made(done.created));
  };
  return (
    <ToolFrame
      label={move ? texts.moveButton(count) : texts.button(count)}
      disabled={(preview?.created ?? 0) === 0 || waiting}
      busy={busy}
      onApply={() => void apply()}
    >
      {head}
      <CampaignChoice workspaceId={workspaceId} chosen={target} onChoose={setTarget} />
      <Checkbox label={texts.move} checked={move} onChange={(event) => setMove(event.currentTarget.checked)} />
      {groups !== undefined && group === undefined && <Problem of={dialogTexts.copies.noGroup} />}
      <Problem of={problem} />
      {preview !== null && <NotCopied preview={preview} />}
    </ToolFrame>
  );
}

/** Fields that copies do not include, and rows that can't be copied, with the reason. */
function NotCopied({ preview }: { readonly preview: Pick<BulkPreview, 'dropped' | 'refused'> }) {
  const { dropped, refused } = preview;
  return (
    <>
      {dropped.length > 0 && (
        <p className={ui['quiet']}>
          {appTexts.copies.dropped} {droppedText(dropped)}
        </p>
      )}
      {refused.length > 0 && (
        <p>
          <span className={ui['grid-mark-warning']}>{dialogTexts.bulk.leftAlone}:</span>{' '}
          {refused.map(({ why, rows }) => appTexts.bulk.refused(rows, appTexts.bulk.why[why])).join('; ')}
        </p>
      )}
    </>
  );
}

/** Rows of one account to copy to another as drafts. */
interface CopyAcrossOptions {
  readonly workspaceId: string;
  readonly scope: BulkScope;
  readonly target: string;
  readonly to: { readonly kind: RowRef['kind']; readonly id: number } | null;
}

/** Actions for copies. A refusal is returned as text, to show next to the selection. */
function copyAcrossActions(context: ActionContext) {
  const { client } = context.connection;
  return {
    previewAcross: (options: CopyAcrossOptions) => inWords(() => client.copyToAccount.preview(options)),
    applyAcross: (options: CopyAcrossOptions, label: string) =>
      runEdit(context, () => client.copyToAccount.apply({ ...options, label })),
  };
}
