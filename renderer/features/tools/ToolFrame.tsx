import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { BulkPreview, BulkScope, BulkTool } from '../../../shared/api/bulk.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { KIND_NAMES, rowsText } from '../../app/field-names.ts';
import { countText, inSentence } from '../../app/locale/numbers.ts';
import { rangeOf } from '../../app/store/selection-slice.ts';
import type { Option } from '../../components/Choice.tsx';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import ui from '../../components/ui.module.css';
import type { OpenView } from '../../grid/window.ts';
import styles from './tools.module.css';

const allRows = (n: number, kind: Kind): string => (n === 1 ? rowsText(n, kind) : `All ${rowsText(n, kind)}`);

const texts = {
  cancel: 'Cancel',
  stop: 'Stop',
  undo: 'Press Ctrl+Z to undo all of it.',
  scope: 'Rows',
  selected: (n: number, kind: Kind) =>
    `${countText(n)} selected ${inSentence(n === 1 ? KIND_NAMES[kind].one : KIND_NAMES[kind].many)}`,
  view: (n: number, kind: Kind) => `${allRows(n, kind)} in this view`,
  account: (n: number, kind: Kind) => `${allRows(n, kind)} in the account`,
  uncounted: 'All rows in the account',
} as const;

interface ToolFrameProps {
  readonly children: ReactNode;
  /** The label of the primary button, with its count. */
  readonly label: string;
  readonly disabled: boolean;
  readonly busy: boolean;
  readonly onApply: () => void;
  /** Stops the running action; null if there is none. */
  readonly onStop?: (() => void) | null;
  /** An alternative button next to Apply. */
  readonly beside?: ReactNode;
}

/** The form of a tool: it scrolls, its buttons do not. Ctrl+Enter applies and Escape closes from anywhere. */
export function ToolFrame({ children, label, disabled, busy, onApply, onStop = null, beside }: ToolFrameProps) {
  const { store, openGrid } = useAppContext();
  const opened = useView((s) => s.tool);
  const form = useRef<HTMLFormElement>(null);
  const close = (): void => {
    store.getState().closePane();
    openGrid.current?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first field gets the focus each time a tool is opened.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[data-first], [data-first] input')?.focus();
  }, [opened]);
  // Removes the preview when the form closes.
  useEffect(() => () => store.getState().showGhosts(null), [store]);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { dialog, menu, rowsToMove } = store.getState();
    const { target } = event;
    // Input fields elsewhere, such as a cell editor, handle these keys themselves.
    const isElsewhere = target instanceof HTMLInputElement && form.current?.contains(target) !== true;
    if (dialog !== null || menu !== null || rowsToMove !== null || isElsewhere || event.isComposing) return;
    const isEnter = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (event.key !== 'Escape' && !isEnter) return;
    // Otherwise the sync plan and the grid would handle these keys.
    event.preventDefault();
    event.stopPropagation();
    if (isEnter) onApply();
    else close();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener('keydown', listener, true);
    return () => window.removeEventListener('keydown', listener, true);
  }, []);
  return (
    <form
      ref={form}
      className={styles['tool']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onApply();
      }}
    >
      <div className={styles['body']}>{children}</div>
      <footer className={styles['foot']}>
        <div className={styles['buttons']}>
          <Button type="submit" variant="filled" disabled={disabled} loading={busy}>
            {label}
          </Button>
          {beside}
          {onStop === null ? (
            <Button variant="subtle" onClick={close}>
              {texts.cancel}
            </Button>
          ) : (
            <Button variant="subtle" onClick={onStop}>
              {texts.stop}
            </Button>
          )}
        </div>
        <p className={ui['quiet']}>{texts.undo}</p>
      </footer>
    </form>
  );
}

/** An open view of all rows of a kind in the account: its ID in main, and the number of rows. */
interface AccountView {
  readonly viewId: number;
  readonly length: number;
}

/** Opens this view while `wanted` is true, then closes it; null until it is open. */
function useAccountView(workspaceId: string, kind: Kind, wanted: boolean): AccountView | null {
  const { connection, toasts } = useAppContext();
  const [view, setView] = useState<AccountView | null>(null);
  useEffect(() => {
    if (!wanted) return;
    const { client } = connection;
    let isOver = false;
    const opening = client.workspace.openView({ workspaceId, view: { kind } });
    opening.then(
      (opened) => {
        if (!isOver) setView(opened);
      },
      (error: unknown) => toasts.fail(errorText(error)),
    );
    return () => {
      isOver = true;
      setView(null);
      opening.then(
        ({ viewId }) => void client.workspace.closeView({ workspaceId, viewId }).catch(() => ignoreCloseFailure()),
        () => ignoreOpenFailure(),
      );
    };
  }, [connection, toasts, workspaceId, kind, wanted]);
  return view;
}

/** Ignores the failure: main closes the view together with its workspace. */
const ignoreCloseFailure = (): void => undefined;
/** Ignores the failure: a message was already shown. */
const ignoreOpenFailure = (): void => undefined;

/** The rows that a tool changes: the selected ones, unless the user chooses others. */
export function useToolScope(workspaceId: string, view: OpenView) {
  const { source } = view;
  useSyncExternalStore(source.subscribe, source.version);
  const selection = useViewOf((s) => ({ active: s.active, anchor: s.anchor, wholeRows: s.wholeRows, all: s.all }));
  const [chosen, setChosen] = useState<'selection' | 'view' | 'account' | null>(null);
  const { kind, campaignId, filter, only } = source.request;
  const length = source.length();
  const { top, bottom } = rangeOf(selection, 1);
  const selected = Math.max(0, Math.min(bottom, length - 1) - top + 1);
  const isNarrowed = campaignId !== null || filter !== '' || only !== 'all';
  const account = useAccountView(workspaceId, kind, chosen === 'account');
  const which = chosen ?? (selected < 2 ? 'view' : 'selection');
  const viewId = which === 'account' ? account?.viewId : source.viewId();
  const isPart = which === 'selection';
  const options: Option<'selection' | 'view' | 'account'>[] = [
    ['selection', texts.selected(selected, kind)],
    ['view', texts.view(length, kind)],
  ];
  if (isNarrowed || chosen === 'account') {
    options.push(['account', account === null ? texts.uncounted : texts.account(account.length, kind)]);
  }
  return {
    /** Null while a view of the whole account is being opened, or if there are no rows. */
    scope:
      viewId === undefined || selected === 0
        ? null
        : { viewId, ranges: isPart ? [{ from: top, count: selected }] : null },
    /** Positions in the view on screen; null for all rows. */
    range: isPart ? { from: top, to: top + selected } : null,
    count: isPart ? selected : which === 'account' ? (account?.length ?? 0) : length,
    control: <ChoiceField label={texts.scope} options={options} value={which} onChoose={setChosen} />,
  };
}

/** Milliseconds without input after which a preview is requested. */
const PAUSE_MS = 120;

interface Previewed {
  readonly preview: BulkPreview | null;
  readonly problem: string | null;
  readonly waiting: boolean;
}

/** Counts of the tool's effect; the last ones stay on screen until the next arrive. */
export function usePreview(workspaceId: string, scope: BulkScope | null, tool: BulkTool | null): Previewed {
  const wanted = scope === null || tool === null ? null : JSON.stringify({ scope, tool });
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const found = useQuery(
    useApi().bulk.preview.queryOptions({
      input: asked === null ? skipToken : { workspaceId, count: 0, ...JSON.parse(asked) },
      placeholderData: keepPreviousData,
    }),
  );
  const isOld = asked !== wanted || found.isPlaceholderData;
  if (wanted === null) return { preview: null, problem: null, waiting: false };
  return {
    preview: found.error === null ? (found.data ?? null) : null,
    problem: found.error === null || isOld ? null : errorText(found.error),
    waiting: isOld || found.isPending,
  };
}
