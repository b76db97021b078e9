import { memo, type ReactNode } from 'react';
import type { WindowRow } from '../../shared/api/workspace.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { isDeleted } from '../../shared/model/row.ts';
import type { Issue } from '../../shared/rules/rule.ts';
import { choiceName, estimatedText } from '../app/field-names.ts';
import { figureText, momentText, moneyText } from '../app/locale/numbers.ts';
import { rowMark } from '../app/move-commands.ts';
import type { RowGhost } from '../app/store/tool-slice.ts';
import { appTexts } from '../app/texts.ts';
import { StatusShape } from '../components/StatusShape.tsx';
import ui from '../components/ui.module.css';
import {
  amountOf,
  type Column,
  cellText,
  columnCell,
  heatOf,
  heatValue,
  isChangedCell,
  lockOf,
  type MediaNames,
  type RowMetrics,
  stateOf,
  stillExpected,
  valueText,
} from './columns.ts';
import styles from './grid.module.css';
import { ImpactSign, impactClass, impactHint, type RowImpacts } from './ImpactLens.tsx';
import { ItemPicture } from './ItemPicture.tsx';
import { Amount, CommentSign, longAmount, RowMark } from './RowMark.tsx';
import { Trend } from './Trend.tsx';
import { gridTexts } from './text.ts';
import type { RowSuggestion } from './use-suggestions.tsx';
import type { IssueText } from './use-window.ts';

/** ID of the active cell of the window, for `aria-activedescendant`. */
export const ACTIVE_CELL_ID = 'grid-active-cell';

export interface GridRowProps {
  readonly kind: Kind;
  /** Undefined until the row's page has loaded. */
  readonly row: WindowRow | undefined;
  /** The row's index in the view, and its line. */
  readonly index: number;
  readonly line: number;
  /** True in a group. */
  readonly isNested: boolean;
  readonly top: number;
  readonly columns: readonly Column[];
  /** Number of pinned columns, and the range of unpinned columns that is drawn. */
  readonly frozen: number;
  readonly from: number;
  readonly to: number;
  /** Index of the active cell's column; -1 in other rows. */
  readonly activeCol: number;
  /** Range of selected columns in this row; left > right for none. */
  readonly left: number;
  readonly right: number;
  readonly edgeTop: boolean;
  readonly edgeBottom: boolean;
  readonly fast: boolean;
  readonly media: MediaNames;
  /** The workspace of the pictures before names, and their size in pixels; null for none. */
  readonly picture: { readonly workspaceId: string; readonly size: number } | null;
  readonly issues: readonly Issue[] | undefined;
  /** Words an issue in a sentence; null until its module has loaded. */
  readonly issueText: IssueText | null;
  /** The row's metrics, if metric columns are shown. */
  readonly figures: RowMetrics | undefined;
  /** Target ROAS in hundredths, null when ROAS is not colored. */
  readonly target: number | null;
  /** New values from the open tool. */
  readonly ghost: RowGhost | undefined;
  /** The bid suggested from the row's metrics. */
  readonly suggestion: RowSuggestion | undefined;
  /** False if the row above is of the same campaign and already offers to set a target. */
  readonly offersTarget: boolean;
  /** Costs of an edit of each field, while "Impact of edits" is on. */
  readonly impacts: RowImpacts | undefined;
  readonly editor: ReactNode;
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, index, top, columns, frozen, from, to, fast, activeCol } = props;
  const drawn = fast ? [] : columns.slice(from, to).map((_, i) => from + i);
  // The active cell is drawn wherever the grid is scrolled to.
  if (activeCol >= frozen && !drawn.includes(activeCol)) drawn.push(activeCol);
  const classes = [styles['grid-row']];
  if (activeCol >= 0) classes.push(styles['grid-row-active']);
  if (row !== undefined && isDeleted(row)) classes.push(styles['grid-row-deleted']);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid itself keeps the focus and names the active cell.
    <div
      role="row"
      aria-rowindex={props.line + 2}
      {...rowMark(props.kind, row)}
      aria-level={props.isNested ? 2 : undefined}
      aria-selected={props.left === 0 && props.right === columns.length - 1}
      className={classes.join(' ')}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="presentation" className={styles['grid-pinned']}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: see above. */}
        <div role="rowheader" aria-colindex={1} className={styles['grid-gutter']}>
          <RowMark row={row} number={index + 1} />
        </div>
        {columns.slice(0, frozen).map((column, col) => (
          <GridCell key={column.field} {...props} column={column} col={col} />
        ))}
      </div>
      {drawn.map((col) => {
        const column = columns[col];
        return column === undefined ? null : <GridCell key={column.field} {...props} column={column} col={col} />;
      })}
    </div>
  );
});

interface GridCellProps extends GridRowProps {
  readonly column: Column;
  readonly col: number;
}

function GridCell(props: GridCellProps) {
  const { kind, row, column, col, activeCol, left, right } = props;
  const active = col === activeCol;
  const selected = col >= left && col <= right;
  const style = { left: `var(--x${col})`, width: `var(--w${col})` };
  if (row === undefined) {
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the grid itself keeps the focus and names the active cell.
      <div
        role="gridcell"
        aria-colindex={col + 2}
        id={active ? ACTIVE_CELL_ID : undefined}
        className={
          active && props.editor !== null
            ? `${styles['grid-cell']} ${styles['grid-active']} ${styles['grid-editing']}`
            : styles['grid-cell']
        }
        data-editing={active && props.editor !== null ? '' : undefined}
        style={style}
        aria-busy="true"
      >
        {active && props.editor !== null ? props.editor : <span className={ui['grid-skeleton']} />}
      </div>
    );
  }
  const text = cellText(kind, column, row, props.media, props.figures);
  const locked = lockOf(column, row) !== null;
  const issue = props.issues?.find((found) => found.field === column.field && found.severity !== 'advice');
  const comments = row.comments?.[column.field] ?? 0;
  const classes = [styles['grid-cell']];
  if (column.align === 'right') classes.push(styles['grid-right']);
  if (isChangedCell(kind, column.field, row)) classes.push(styles['grid-changed']);
  if (issue !== undefined) classes.push(styles[`grid-issue-${issue.severity}`]);
  if (comments > 0) classes.push(styles['grid-commented']);
  const heat = props.target === null ? null : heatOf(heatValue(column, props.figures), props.target);
  if (heat !== null) classes.push(styles[`grid-heat-${heat}`]);
  const impact = column.figure === null ? props.impacts?.[column.field] : undefined;
  if (impact !== undefined) classes.push(impactClass(impact));
  const expected = stillExpected(column, props.figures);
  if (selected) {
    classes.push(styles['grid-selected']);
    if (props.edgeTop) classes.push(styles['grid-edge-top']);
    if (props.edgeBottom) classes.push(styles['grid-edge-bottom']);
    if (col === left) classes.push(styles['grid-edge-left']);
    if (col === right) classes.push(styles['grid-edge-right']);
  }
  if (active) classes.push(styles['grid-active']);
  if (column.ghost !== undefined && props.ghost?.cells[column.ghost] !== undefined) classes.push(styles['grid-ghost']);
  const editing = active && props.editor !== null;
  const said = issue === undefined ? undefined : props.issueText?.(issue);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid itself keeps the focus and names the active cell.
    <div
      role="gridcell"
      aria-colindex={col + 2}
      aria-selected={selected}
      aria-readonly={locked ? true : undefined}
      aria-invalid={issue?.severity === 'error' ? true : undefined}
      id={active ? ACTIVE_CELL_ID : undefined}
      className={editing ? `${classes.join(' ')} ${styles['grid-editing']}` : classes.join(' ')}
      data-editing={editing ? '' : undefined}
      style={style}
      title={hintOf(
        longAmount(text, amountOf(column, row, props.figures)),
        said,
        comments,
        column.field === 'campaignState' ? row : null,
        expected,
        impact,
      )}
    >
      {editing ? (
        props.editor
      ) : props.ghost !== undefined && column.ghost !== undefined ? (
        <GhostContent kind={kind} field={column.ghost} ghost={props.ghost} media={props.media} />
      ) : props.ghost?.cells[column.field] !== undefined ? (
        <del>{text}</del>
      ) : (
        <CellContent {...props} text={text} raw={row} allowed={allowedOf(issue)} />
      )}
      {impact !== undefined && !editing && <ImpactSign impact={impact} align={column.align} />}
      {issue !== undefined && !editing && <span className={styles['grid-issue-mark']} data-issue="" />}
      {comments > 0 && !editing && <CommentSign open={comments} />}
    </div>
  );
}

interface GhostContentProps {
  readonly kind: Kind;
  readonly field: string;
  readonly ghost: RowGhost;
  readonly media: MediaNames;
}

/** The new value and the difference of an amount, or the reason why the row is skipped. */
function GhostContent({ kind, field, ghost, media }: GhostContentProps) {
  const cell = ghost.cells[field];
  const { same, grows, shrinks } = gridTexts.ghost;
  if (cell === undefined) {
    return <span className={styles['grid-skipped']}>{ghost.why === null ? same : appTexts.bulk.short[ghost.why]}</span>;
  }
  const { value, by } = cell;
  return (
    <>
      <ins>{value === null ? appTexts.grid.none : valueText(kind, field, value, media)}</ins>
      {by !== null && (
        <span className={styles['grid-grown']}>
          {by > 0 ? grows(figureText('money', by)) : shrinks(figureText('money', -by))}
        </span>
      )}
    </>
  );
}

/** The tooltip of a cell, beyond its text. */
function hintOf(
  amount: string,
  issue: string | undefined,
  comments: number,
  campaign: WindowRow | null,
  expected: number,
  impact: RowImpacts[string] | undefined,
): string | undefined {
  const lines = [
    amount,
    issue ?? '',
    comments === 0 ? '' : appTexts.annotations.open(comments),
    campaign === null ? '' : estimateHint(campaign),
    expected === 0 ? '' : gridTexts.stillExpected(percentOf(expected)),
    impact === undefined ? '' : impactHint(impact),
  ];
  return lines.filter((line) => line !== '').join('\n') || undefined;
}

/** Hundredths of a percent as whole percent, at least 1%. */
const percentOf = (share: number): string => `${Math.max(1, Math.round(share / 100))}%`;

function estimateHint(row: WindowRow): string {
  const { isEstimated, asOf } = stateOf(row);
  return isEstimated ? estimatedText(asOf === null ? null : momentText(asOf)) : '';
}

/** Name fields with a picture before them, and the field with the item ID of the picture. */
const PICTURED: Readonly<Record<string, string | null>> = {
  'campaign.name': null,
  'sbaProfile.path': null,
  'videoProfile.path': null,
  'adItem.itemName': 'itemId',
};
const ITEM_ID = fieldNames('adItem').indexOf('itemId');

/** The maximum length of a text, if an issue reports that it is exceeded; else null. */
function allowedOf(issue: Issue | undefined): number | null {
  const max = issue?.params['max'];
  return issue?.rule.endsWith('length') === true && typeof max === 'number' ? max : null;
}

interface CellContentProps extends GridCellProps {
  readonly text: string;
  readonly raw: WindowRow;
  /** Characters beyond this length are marked; null for no limit. */
  readonly allowed: number | null;
}

function CellContent(props: CellContentProps) {
  const { kind, column, text, raw, picture, fast, allowed } = props;
  if (allowed !== null) {
    const characters = [...text];
    return (
      <>
        {characters.slice(0, allowed).join('')}
        <mark className={styles['grid-surplus']}>{characters.slice(allowed).join('')}</mark>
      </>
    );
  }
  const of = PICTURED[`${kind}.${column.field}`];
  if (of !== undefined && picture !== null) {
    const itemId = of === null ? (raw.picture ?? null) : raw.cells[ITEM_ID];
    const shown = typeof itemId === 'string' && !fast ? itemId : null;
    return (
      <span className={styles['grid-pictured']}>
        <ItemPicture key={shown} {...picture} itemId={shown} name={text} />
        <span className={styles['grid-pictured-name']}>
          {text === '' && of === null ? <span className={ui['quiet']}>{raw.campaignName}</span> : text}
        </span>
      </span>
    );
  }
  if (column.figure === 'suggestedBid' || column.figure === 'evidence') {
    return <Suggested column={column.figure} row={raw} of={props.suggestion} offersTarget={props.offersTarget} />;
  }
  if (column.figure === 'trend') return <Trend values={props.figures?.trend ?? []} />;
  if (column.figure !== null) {
    const isOpen = stillExpected(column, props.figures) > 0;
    return (
      <Amount text={text} cents={amountOf(column, raw, props.figures)}>
        {isOpen ? <span className={styles['grid-not-settled']}>{text}</span> : text}
      </Amount>
    );
  }
  if (column.field === 'rowState') return <StatusShape state={raw.state ?? 'draft'} text={text} />;
  const stored = columnCell(column, raw);
  if (column.field === 'campaignState') {
    const { state, isEstimated } = stateOf(raw);
    // The column has room for the state only: a dotted line, a tooltip and a text for screen readers mark an estimate.
    return (
      <span className={isEstimated ? styles['grid-estimated'] : undefined}>
        <StatusShape state={state} text={choiceName(state)} />
        {isEstimated && <span className={ui['spoken-only']}>{gridTexts.estimated}</span>}
      </span>
    );
  }
  const cents = amountOf(column, raw, props.figures);
  if (cents !== null) return <Amount text={text} cents={cents} />;
  const isState = column.spec?.type.is === 'choice' && STATE_FIELDS.has(column.field);
  if (!isState || typeof stored !== 'string') return text;
  return <StatusShape state={stored} text={text} />;
}

interface SuggestedProps {
  readonly column: 'suggestedBid' | 'evidence';
  readonly row: WindowRow;
  readonly of: RowSuggestion | undefined;
  readonly offersTarget: boolean;
}

/** The suggested bid with its change, or the evidence for it. Without a goal, a link to set a target. */
function Suggested({ column, row, of, offersTarget }: SuggestedProps) {
  const suggestion = of?.suggestion ?? null;
  if (column === 'evidence') {
    return suggestion === null ? gridTexts.noMetric : gridTexts.evidenceWords[suggestion.evidence];
  }
  if (of !== undefined && !of.hasGoal && offersTarget && row.remoteId !== null) {
    return (
      <button type="button" tabIndex={-1} className={styles['grid-set-target']} data-set-target={row.campaignId ?? ''}>
        {gridTexts.setTarget}
      </button>
    );
  }
  if (suggestion === null || typeof suggestion.suggested !== 'number') return gridTexts.noMetric;
  const { current, suggested } = suggestion;
  const change = typeof current === 'number' && current !== 0 ? Math.round((suggested / current - 1) * 100) : 0;
  return (
    <>
      {change !== 0 && (
        <span className={`${styles['grid-change']} ${change > 0 ? styles['grid-grows'] : styles['grid-shrinks']}`}>
          {gridTexts.suggestion.percent(change)}
        </span>
      )}
      <span className={styles['grid-suggested']} data-suggestion={row.id}>
        {moneyText(suggested)}
      </span>
    </>
  );
}

const STATE_FIELDS = new Set(['status', 'state', 'serviceStatus', 'reviewStatus', 'mediaState']);
