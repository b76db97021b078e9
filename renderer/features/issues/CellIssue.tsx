import { Button, Group, Popover } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { FULL_RULE } from '../../../shared/bulk/spread-keywords.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { codePointLength } from '../../../shared/model/text.ts';
import type { Issue } from '../../../shared/rules/rule.ts';
import { suggestedValues } from '../../../shared/rules/suggested-values.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { nextIssue } from '../../app/command-handlers.ts';
import type { CommandId } from '../../app/commands.ts';
import { fieldName } from '../../app/field-names.ts';
import { activeColumn } from '../../app/grid-commands.ts';
import { issueText, ruleName } from '../../app/issue-text.ts';
import { inSentence } from '../../app/locale/numbers.ts';
import { cellOf } from '../../app/row-cells.ts';
import { useRow } from '../../app/shared-queries.ts';
import { spreadKeywords, spreadTexts } from '../../app/spread-keywords.ts';
import { appTexts } from '../../app/texts.ts';
import { useCommandContext, useKeys } from '../../app/use-shortcuts.ts';
import { type MediaNames, valueText } from '../../grid/columns.ts';
import { ACTIVE_CELL_ID } from '../../grid/GridRow.tsx';
import type { OpenView } from '../../grid/window.ts';
import { SeverityIcon } from './IssuesTab.tsx';
import styles from './issues.module.css';

const texts = {
  name: 'Issue',
  tooLong: (n: number) => (n === 1 ? '1 character too long' : `${n} characters too long`),
  use: 'Use',
  offer: (value: string) => `Use ${value}`,
  edit: 'Edit',
  remove: 'Delete row',
  next: 'Next issue',
  label: (field: string) => `Use suggested ${inSentence(field)}`,
  none: 'This row has no issues.',
} as const;

interface CellIssueProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly media: MediaNames;
}

/** The issue of the active cell with values that fix it, in a popover below or above the cell. */
export function CellIssue({ workspaceId, view, media }: CellIssueProps) {
  const app = useAppContext();
  const { store, actions, openGrid } = app;
  const context = useCommandContext();
  const active = useView((s) => s.active);
  const { kind } = view.source.request;
  const row = view.source.rowAt(active.row);
  const id = row?.id;
  const found = useRow(workspaceId, id === undefined ? null : { kind, id });
  const own = useQuery(useApi().rules.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const [box, setBox] = useState<DOMRect | null>(null);
  // The cell may scroll into view only after the popover has opened, for example with the command for the next issue.
  useLayoutEffect(() => {
    const place = (): void => {
      const now = document.getElementById(ACTIVE_CELL_ID)?.getBoundingClientRect() ?? null;
      setBox((before) => (isSame(before, now) ? before : now));
    };
    place();
    const timer = setTimeout(place, 60);
    return () => clearTimeout(timer);
  });
  const close = (): void => {
    store.getState().closeMenu();
    openGrid.current?.focus();
  };
  const column = activeColumn(context.app);
  const issues = found?.issues ?? [];
  const issue = issues.find(({ field }) => field === column?.field) ?? issues[0];
  if (box === null || row === undefined || found === undefined) return null;
  const use = (value: Cell): void => {
    const field = issue?.fix?.field ?? issue?.field;
    if (field === null || field === undefined) return;
    void actions.edit(texts.label(fieldName(field, kind)), [{ kind, id: row.id, field, value }]);
    close();
  };
  /** Deletes a duplicate row: an empty cell would be another error. */
  const remove = (): void => {
    const scope = { rows: [{ kind, ids: [row.id] }] };
    void actions.applyTool(scope, { tool: 'delete' }, appTexts.bulk.labels.delete(1));
    close();
  };
  const spread = (): void => {
    close();
    if (issue?.campaignId != null) void spreadKeywords(app, [issue.campaignId]);
  };
  const stored = issue?.field == null ? null : cellOf(kind, row, issue.field);
  const values = issue === undefined ? [] : suggestedValues(issue, stored);
  const shown = (value: Cell): string => valueText(kind, issue?.fix?.field ?? issue?.field ?? '', value, media);
  return (
    <Popover
      withRoles={false}
      opened
      onDismiss={close}
      position="bottom-start"
      width={372}
      trapFocus
      returnFocus={false}
      shadow="md"
      offset={6}
    >
      <Popover.Target>
        <span
          className={styles['anchor']}
          style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={texts.name} className={styles['popover']}>
        <header>
          {issue !== undefined && <SeverityIcon severity={issue.severity} />}
          <h2>{issue === undefined ? texts.none : titleOf(issue, ruleName(issue.rule, own))}</h2>
          <button type="button" className={styles['more']} aria-label={appTexts.close} onClick={close}>
            <IconX size={14} stroke={1.5} aria-hidden />
          </button>
        </header>
        {issue !== undefined && <p>{issueText(issue)}</p>}
        {values.map((value, i) => (
          <div key={String(value)} className={styles['value']}>
            <span>{shown(value)}</span>
            {typeof value === 'string' && <small>{codePointLength(value)}</small>}
            <Button
              variant="light"
              data-autofocus={i === 0 ? '' : undefined}
              aria-label={texts.offer(shown(value))}
              onClick={() => use(value)}
            >
              {texts.use}
            </Button>
          </div>
        ))}
        <footer>
          <Group gap={6}>
            <Button
              onClick={() => {
                close();
                openGrid.current?.openEditor();
              }}
            >
              {texts.edit} <Keys of="cells.edit" />
            </Button>
            {issue?.rule === FULL_RULE && <Button onClick={spread}>{spreadTexts.spread}</Button>}
            {issue?.rule.endsWith('.duplicate') && <Button onClick={remove}>{texts.remove}</Button>}
          </Group>
          <button type="button" className={styles['fix']} onClick={() => nextIssue(context)}>
            {texts.next} <Keys of="view.next-error" />
          </button>
        </footer>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The shortcut of a command, if it has one. */
function Keys({ of }: { readonly of: CommandId }) {
  const keys = useKeys(of);
  return keys !== null && <kbd>{keys}</kbd>;
}

const isSame = (a: DOMRect | null, b: DOMRect | null): boolean =>
  a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;

function titleOf({ params }: Issue, name: string): string {
  const { length, max } = params;
  const isTooLong = typeof length === 'number' && typeof max === 'number' && length > max;
  return isTooLong ? texts.tooLong(length - max) : name;
}
