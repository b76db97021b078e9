import { ActionIcon, Button } from '@mantine/core';
import { IconArrowBackUp, IconChevronRight } from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import {
  type DragEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { AddedFile } from '../../../shared/api/files.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { RowDetail, WindowRow } from '../../../shared/api/workspace.ts';
import { FULL_RULE } from '../../../shared/bulk/spread-keywords.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import { campaignParts } from '../../../shared/model/campaign-tree.ts';
import { canonicalClickUrl } from '../../../shared/model/click-url.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { changeCommand } from '../../../shared/plan/capabilities.ts';
import { isReported } from '../../../shared/reports/metric.ts';
import type { Fix, Issue } from '../../../shared/rules/rule.ts';
import { useApi, useAppContext, useViewOf } from '../../app/app-context.ts';
import { type CommandId, commandOf } from '../../app/commands.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { choiceName, estimatedText, fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { issueText } from '../../app/issue-text.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { atStart, countText, inSentence, momentText, plural, timeText } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { cellOf, textOf } from '../../app/row-cells.ts';
import { type MediaFile, useMedia, useOffering, useRow, useRows } from '../../app/shared-queries.ts';
import { spreadKeywords, spreadTexts } from '../../app/spread-keywords.ts';
import { DETAILS_MAX, rangeOf } from '../../app/store/selection-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Empty } from '../../components/Empty.tsx';
import { FilePicker } from '../../components/FilePicker.tsx';
import { ItemPage } from '../../components/ItemPage.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import {
  type Column,
  columnCell,
  columnsOf,
  isChangedCell,
  layoutOf,
  lockOf,
  shownColumns,
  stateOf,
  valueText,
} from '../../grid/columns.ts';
import { fillChanges } from '../../grid/edits.ts';
import { ItemPicture } from '../../grid/ItemPicture.tsx';
import { marksOf } from '../../grid/RowMark.tsx';
import { ServicePicture } from '../../grid/ServicePicture.tsx';
import { AcceptBids } from '../../grid/use-suggestions.tsx';
import type { OpenView } from '../../grid/window.ts';
import styles from './details.module.css';
import { EffectiveBid } from './EffectiveBid.tsx';
import { FieldFrame, type FieldProps, FieldRow } from './FieldRow.tsx';
import { LabelsSection, NotesSection } from './NotesSection.tsx';
import { ProfilePair } from './ProfilePair.tsx';
import { Budget, DailySpend } from './Spending.tsx';

const texts = {
  changedBy: (name: string, computer: string, time: string) =>
    `Changed by ${computer === '' ? name : `${name} (${computer})`}, ${time}`,
  nothing: 'Nothing selected',
  notOffered: "This service doesn't let Adslate change the row. Use the retailer's console, then refresh.",
  nothingText: 'Select a row to see and edit its details here.',
  many: (n: number) => `${plural(n, 'row')} selected`,
  tooMany: (max: number) =>
    `Details can edit up to ${countText(max)} rows. For more rows, use these tools, which show a preview first:`,
  before: 'Service value',
  revertField: 'Revert to service value',
  unsynced: 'Unsynced changes',
  further: 'More fields',
  serviceId: 'Service ID',
  effects: 'Effect of changes',
  contents: 'In this campaign',
  more: (n: number) => `+${countText(n)}`,
  toField: (field: string) => `Go to ${inSentence(field)}`,
  issues: 'Issues',
  urlRaw: 'Entered',
  urlSent: 'Sent',
  urlRewrites: 'Changes',
  dropVideo: (least: number, most: number) =>
    `Drop an MP4 or MOV file (${least}–${most} seconds) with its SRT or VTT captions here`,
  dropCaption: 'Drop an SRT or VTT file here',
  dropLogo: (width: number, height: number, kb: number) =>
    `Drop a PNG file here (${width} × ${height} pixels, up to ${kb} KB)`,
  choose: 'Choose a file…',
  onServiceOnly: (name: string) => `${name} (on the service)`,
  lastRead: 'Last full refresh',
  neverRead: 'never',
  openRead: (when: string) => `Refreshed ${when}: show response`,
  resolve: 'Resolve',
} as const;

/** What other features show of a row. */
interface DetailsParts {
  readonly mediaDetails: (row: WindowRow, issues: readonly Issue[]) => ReactNode;
  readonly mediaPreview: (mediaId: number, files: readonly MediaFile[]) => ReactNode;
  readonly refusalCard: (kind: Kind, row: WindowRow, refusal: NonNullable<RowDetail['refusal']>) => ReactNode;
}

interface DetailsProps {
  readonly workspaceId: string;
  readonly view: OpenView | null;
  readonly parts: DetailsParts;
}

/** Details of the selection: all about one row, or the shared values of several. */
export function DetailsPane({ view, ...rest }: DetailsProps) {
  if (view === null) return <Empty title={texts.nothing} text={texts.nothingText} />;
  return <Selection {...rest} view={view} />;
}

interface SelectedRows {
  readonly count: number;
  /** Null while some rows have not loaded, or when there are too many for the details. */
  readonly rows: readonly WindowRow[] | null;
}

/** The selected rows of the view; loads those that are missing. */
function useSelectedRows(view: OpenView): SelectedRows {
  const { source } = view;
  const version = useSyncExternalStore(source.subscribe, source.version);
  const selection = useViewOf((s) => ({ active: s.active, anchor: s.anchor, wholeRows: s.wholeRows, all: s.all }));
  const length = source.length();
  const range = rangeOf(selection, 1);
  // As in the grid, a selection beyond the end means the last row.
  const top = Math.min(range.top, length - 1);
  const bottom = Math.min(range.bottom, length - 1);
  const count = length === 0 ? 0 : bottom - top + 1;
  // Repeated after each change of the source: reopened views and pages marked old need another read.
  useEffect(() => {
    if (version >= 0 && count > 0 && count <= DETAILS_MAX) source.wantBeside(top, bottom + 1);
  }, [source, version, top, bottom, count]);
  return useMemo(() => {
    if (count > DETAILS_MAX || version < 0) return { count, rows: null };
    return { count, rows: source.rowsHere(top, bottom + 1) };
  }, [source, version, top, bottom, count]);
}

function Selection(props: DetailsProps & { readonly view: OpenView }) {
  const { workspaceId, view } = props;
  const { count, rows } = useSelectedRows(view);
  const { kind } = view.source.request;
  const first = rows?.[0];
  if (count === 0) return <Empty title={texts.nothing} text={texts.nothingText} />;
  if (count > DETAILS_MAX) return <VeryManyRows count={count} />;
  if (first === undefined || rows === null) return <Waiting />;
  if (count === 1) return <OneRow key={`${kind} ${first.id}`} {...props} kind={kind} row={first} />;
  return <ManyRows key={`${kind} many`} workspaceId={workspaceId} view={view} kind={kind} rows={rows} />;
}

interface ManyRowsProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly kind: Kind;
  readonly rows: readonly WindowRow[];
}

/**
 * The shared fields of several rows that no column shows. Setting one sets it in every row that allows it, as one undo
 * step.
 */
function ManyRows({ workspaceId, view, kind, rows }: ManyRowsProps) {
  const { actions } = useAppContext();
  const { names } = useMedia(workspaceId);
  const inColumns = useColumnFields(view);
  const editable = columnsOf(kind, false).filter(
    (column) =>
      !inColumns.has(column.field) &&
      column.spec?.type.is !== 'ref' &&
      rows.some((row) => lockOf(column, row) === null),
  );
  const set = async (column: Column, value: Cell): Promise<boolean> => {
    const changes = fillChanges(kind, [column], rows, () => value);
    if (changes.length === 0) return false;
    return view.inPlace(() => actions.edit(appTexts.grid.editLabel(column.title), changes, workspaceId));
  };
  return (
    <div className={styles['inspector']}>
      <header className={styles['inspector-head']}>
        <h2>{texts.many(rows.length)}</h2>
        <span className={ui['quiet']}>{KIND_NAMES[kind].many}</span>
      </header>
      <ToolButtons>
        <AcceptBids workspaceId={workspaceId} kind={kind} rows={rows} />
      </ToolButtons>
      <div className={styles['fields']}>
        {editable.map((column) => {
          const values = new Set(rows.map((row) => columnCell(column, row)));
          const [only = null] = values;
          return (
            <FieldRow
              key={column.field}
              kind={kind}
              column={column}
              locked={null}
              issues={[]}
              openComments={null}
              value={values.size === 1 ? only : null}
              mixed={values.size > 1}
              media={names}
              onChange={(next) => set(column, next)}
            />
          );
        })}
      </div>
      <LabelsSection workspaceId={workspaceId} kind={kind} rows={rows} />
    </div>
  );
}

/** The fields shown as columns of the grid, which the details omit. */
function useColumnFields(view: OpenView): ReadonlySet<string> {
  const { kind, campaignId } = view.source.request;
  const layout = useViewOf(layoutOf);
  return useMemo(
    () => new Set(shownColumns(kind, campaignId, layout).map(({ field }) => field)),
    [kind, campaignId, layout],
  );
}

/** The bulk tools, the most urgent first: bids and budgets. */
const TOOLS: readonly CommandId[] = ['bulk.amount', 'bulk.set', 'bulk.replace'];

/** More rows are selected than the details can edit: offers the bulk tools. */
function VeryManyRows({ count }: { readonly count: number }) {
  return (
    <Empty title={texts.many(count)} text={texts.tooMany(DETAILS_MAX)}>
      <ToolButtons />
    </Empty>
  );
}

function ToolButtons({ children }: { readonly children?: ReactNode }) {
  const context = useCommandContext();
  return (
    <div className={ui['chips']}>
      {TOOLS.map((id) => {
        const command = commandOf(id);
        if (!command.when(context)) return null;
        return (
          <Chip key={id} onClick={() => command.run(context)}>
            {command.title}
          </Chip>
        );
      })}
      {children}
    </div>
  );
}

/** The person and computer of a row's last change. */
function ChangedBy({ workspaceId, row }: { readonly workspaceId: string; readonly row: RowRef }) {
  const now = useNow();
  const last = useQuery(useApi().history.log.queryOptions({ input: { workspaceId, ref: row, from: 0, count: 1 } })).data
    ?.entries[0];
  const desks = useQuery(useApi().team.status.queryOptions({ input: { workspaceId } })).data?.desks;
  if (last === undefined || last.who === '') return null;
  const computer = desks?.find(({ no }) => no === last.desk)?.name ?? '';
  return <span className={ui['quiet']}>{texts.changedBy(last.who, computer, timeText(last.at, now))}</span>;
}

/** Kinds without IDs from the service: their ID is composed of the campaign's ID and their first field. */
const MADE_UP: ReadonlySet<Kind> = new Set<Kind>(['placementMultiplier', 'platformMultiplier']);

interface OneRowProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly kind: Kind;
  readonly row: WindowRow;
  readonly parts: DetailsParts;
}

/** The field with the name of a row, by kind. */
const NAMED_BY: Readonly<Record<Kind, string>> = {
  campaign: 'name',
  adGroup: 'name',
  adItem: 'itemName',
  keyword: 'text',
  sbaProfile: 'headline',
  videoProfile: 'video',
  placementMultiplier: 'placement',
  platformMultiplier: 'platform',
  media: 'fileName',
};

/**
 * What the grid does not show of a row: issues with their fixes, creatives, contents, further fields, changes,
 * comments.
 */
function OneRow({ workspaceId, view, kind, row, parts }: OneRowProps) {
  const { store, actions } = useAppContext();
  const ref = { kind, id: row.id };
  const detail = useRow(workspaceId, ref);
  const { names, filesFor } = useMedia(workspaceId);
  const hasTeam = useCommandContext().team;
  const inColumns = useColumnFields(view);
  const columns = columnsOf(kind, false);
  const [typed, setTyped] = useState<Readonly<Record<string, string | null>>>({});
  const value = (field: string): Cell => cellOf(kind, row, field);
  const text = (field: string): string => textOf(kind, row, field);
  const set = (field: string, title: string, next: Cell): Promise<boolean> =>
    view.inPlace(() => actions.edit(appTexts.grid.editLabel(title), [{ ...ref, field, value: next }], workspaceId));

  // A new row needs no extension: documented requests create it.
  const offering = useOffering(row.remoteId === null ? null : changeCommand(kind));
  const { state, isEstimated, asOf } = stateOf(row);
  const isEstimate = kind === 'campaign' && isEstimated;
  const estimate = isEstimate ? estimatedText(asOf === null ? null : momentText(asOf)) : null;
  const shownState = kind === 'campaign' ? state : (row.state ?? null);
  const written = valueText(kind, NAMED_BY[kind], value(NAMED_BY[kind]), names) || text('itemId') || text('mediaName');
  const name = written || KIND_NAMES[kind].one;
  const columnValue = (column: Column): Cell => columnCell(column, row);
  const further = columns.filter(
    (column) =>
      !inColumns.has(column.field) &&
      column.field !== NAMED_BY[kind] &&
      column.spec?.grid?.inDetails !== false &&
      !(lockOf(column, row) !== null && columnValue(column) === null),
  );
  const fields = further.filter((column) => column.spec?.type.is !== 'ref' && lockOf(column, row) === null);
  const facts = further.filter((column) => lockOf(column, row) !== null);
  const files = columns.filter((column) => column.spec?.type.is === 'ref' && lockOf(column, row) === null);
  const issues = detail?.issues ?? [];
  const isBeside = (issue: Issue): boolean =>
    [...fields, ...files].some(({ field }) => field === issue.field) && issue.fix === null;

  return (
    <div className={styles['inspector']}>
      <header className={styles['inspector-head']}>
        <h2>{name}</h2>
        {shownState !== null && <StatusShape state={shownState} text={choiceName(shownState)} />}
        <span className={ui['quiet']}>
          {[atStart(KIND_NAMES[kind].one), ...(kind === 'campaign' || kind === 'media' ? [] : [row.campaignName])].join(
            ' · ',
          )}
        </span>
        {estimate !== null && <span className={ui['quiet']}>{estimate}</span>}
        {offering?.isOffered === false && <span className={ui['quiet']}>{texts.notOffered}</span>}
        {hasTeam && <ChangedBy workspaceId={workspaceId} row={ref} />}
        <span className={styles['inspector-marks']}>
          {marksOf(row).map((mark) => (
            <span key={mark.text} className={ui[`grid-mark-${mark.tone}`]}>
              {mark.sign} {mark.text}
            </span>
          ))}
        </span>
        {(row.outbox === 'conflict' || row.outbox === 'question') && (
          <Button onClick={() => store.getState().showTab('sync')}>{texts.resolve}</Button>
        )}
      </header>
      {detail?.refusal != null && parts.refusalCard(kind, row, detail.refusal)}
      <IssueCards
        issues={issues.filter((issue) => !isBeside(issue))}
        onFix={(fix) => void set(fix.field, fieldName(fix.field, kind), fix.value)}
        onShow={(field) => store.getState().reveal(kind, row.campaignId, row.id, field)}
      />
      {row.remoteId !== null && isReported(kind) && <DailySpend workspaceId={workspaceId} kind={kind} rowId={row.id} />}
      {kind === 'sbaProfile' && <ProfilePair workspaceId={workspaceId} row={row} typed={typed} />}
      {(kind === 'keyword' || kind === 'adItem') && row.campaignId !== null && typeof value('bid') === 'number' && (
        <EffectiveBid workspaceId={workspaceId} campaignId={row.campaignId} cents={Number(value('bid'))} />
      )}
      {kind === 'adItem' && <ItemAbout workspaceId={workspaceId} itemId={text('itemId')} />}
      {kind === 'media' && parts.mediaDetails(row, issues)}
      {files.map((column) => (
        <MediaField
          key={column.field}
          kind={kind}
          column={column}
          locked={null}
          issues={issues.filter(({ field }) => field === column.field)}
          openComments={row.comments?.[column.field] ?? 0}
          preview={parts.mediaPreview}
          value={typeof columnValue(column) === 'number' ? Number(columnValue(column)) : null}
          files={filesFor(column.field)}
          onChange={(next) => void set(column.field, column.title, next)}
        />
      ))}
      {kind === 'campaign' && <Budget workspaceId={workspaceId} campaignId={row.id} />}
      {kind === 'campaign' && <Contents workspaceId={workspaceId} row={row} type={text('campaignType')} />}
      <Effects columns={columns} impacts={detail?.impacts ?? {}} />
      {(fields.length > 0 || facts.length > 0 || row.remoteId !== null) && (
        <section className={styles['section']} aria-label={texts.further}>
          <h3 className={ui['section-title']}>{texts.further}</h3>
          {fields.map((column) => (
            <FieldRow
              key={column.field}
              kind={kind}
              column={column}
              locked={null}
              issues={issues.filter(({ field }) => field === column.field)}
              openComments={row.comments?.[column.field] ?? 0}
              value={columnValue(column)}
              mixed={false}
              media={names}
              onChange={(next) => set(column.field, column.title, next)}
              onTyping={(next) => setTyped((before) => ({ ...before, [column.field]: next }))}
            />
          ))}
          <dl className={ui['facts']}>
            {facts.map((column) => (
              <div key={column.field}>
                <dt>{column.title}</dt>
                <dd>{valueText(kind, column.field, columnValue(column), names)}</dd>
              </div>
            ))}
            {row.remoteId !== null && !MADE_UP.has(kind) && (
              <div>
                <dt>{texts.serviceId}</dt>
                <dd className={ui['numeric']}>{row.remoteId}</dd>
              </div>
            )}
            {kind === 'campaign' && row.remoteId !== null && <LastRead workspaceId={workspaceId} campaignId={row.id} />}
          </dl>
        </section>
      )}
      {kind === 'sbaProfile' && <ClickUrl raw={typed['clickUrl'] ?? text('clickUrl')} />}
      <Unsynced
        changes={columns.flatMap((column) => {
          if (!isChangedCell(kind, column.field, row) || !detail?.base || column.cell === null) return [];
          const before = valueText(kind, column.field, detail.base[column.cell] ?? null, names);
          return [{ column, before, after: valueText(kind, column.field, columnValue(column), names) }];
        })}
        onRevert={(field) => void actions.revert([ref], field)}
      />
      <NotesSection workspaceId={workspaceId} row={ref} carried={row.labels ?? []} />
    </div>
  );
}

/** Costs shown before an edit; changes that take effect at once are not listed. */
const COSTS = ['needs-review', 'needs-pause', 'refused'] as const;

/** Fields that can't be changed freely now, by the cost of a change. */
function Effects({
  columns,
  impacts,
}: {
  readonly columns: readonly Column[];
  readonly impacts: RowDetail['impacts'];
}) {
  const lines = COSTS.flatMap((cost) => {
    const own = columns.filter(({ field, spec }) => spec?.owner === 'user' && impacts[field]?.cost === cost);
    const [first] = own;
    return first === undefined ? [] : [{ cost, own, message: impacts[first.field]?.message ?? undefined }];
  });
  if (lines.length === 0) return null;
  return (
    <section className={styles['section']} aria-label={texts.effects}>
      <h3 className={ui['section-title']}>{texts.effects}</h3>
      <dl className={ui['facts']}>
        {lines.map(({ cost, own, message }) => (
          <div key={cost}>
            <dt>{own.map(({ title }) => title).join(', ')}</dt>
            <dd className={`${ui['badge']} ${styles[`impact-${cost}`]}`} title={message}>
              {appTexts.impacts[cost]}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface UnsyncedProps {
  readonly changes: readonly { readonly column: Column; readonly before: string; readonly after: string }[];
  readonly onRevert: (field: string) => void;
}

/** The changed fields of a row, each with its service value and a button to revert it. */
function Unsynced({ changes, onRevert }: UnsyncedProps) {
  if (changes.length === 0) return null;
  return (
    <section className={styles['section']} aria-label={texts.unsynced}>
      <h3 className={ui['section-title']}>{texts.unsynced}</h3>
      <ul className={styles['unsynced']}>
        {changes.map(({ column, before, after }) => (
          <li key={column.field}>
            <span>
              {column.title}: <del title={texts.before}>{before || dialogTexts.sync.emptyValue}</del> →{' '}
              <ins>{after || dialogTexts.sync.emptyValue}</ins>
            </span>
            <ActionIcon
              size={24}
              variant="subtle"
              aria-label={`${texts.revertField}: ${column.title}`}
              title={texts.revertField}
              onClick={() => onRevert(column.field)}
            >
              <IconArrowBackUp size={14} stroke={1.5} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ContentsProps {
  readonly workspaceId: string;
  readonly row: WindowRow;
  readonly type: string;
}

/** Most item pictures shown for a campaign. */
const PICTURES = 5;

/** The contents of a campaign: links with the number of rows of each kind, and its first items. */
function Contents({ workspaceId, row, type }: ContentsProps) {
  const items = useRows(workspaceId, { kind: 'adItem', campaignId: row.id }, PICTURES).data;
  return (
    <section className={styles['section']} aria-label={texts.contents}>
      <h3 className={ui['section-title']}>{texts.contents}</h3>
      <ul className={styles['contents']}>
        {campaignParts(type)
          .filter((kind) => kind !== 'adGroup')
          .map((kind) => (
            <ContentLine key={kind} workspaceId={workspaceId} kind={kind} campaignId={row.id} />
          ))}
      </ul>
      {items !== undefined && items.rows.length > 0 && (
        <div className={styles['pictures']}>
          {items.rows.map((item) => {
            const itemId = textOf('adItem', item, 'itemId');
            const name = textOf('adItem', item, 'itemName') || itemId;
            return (
              <span key={item.id} title={name}>
                <ItemPicture workspaceId={workspaceId} itemId={itemId} name={name} size={44} />
                <span className={ui['spoken-only']}>{name}</span>
              </span>
            );
          })}
          {items.total > items.rows.length && (
            <span className={ui['quiet']}>{texts.more(items.total - items.rows.length)}</span>
          )}
        </div>
      )}
    </section>
  );
}

interface ContentLineProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly campaignId: WindowRow['id'];
}

function ContentLine({ workspaceId, kind, campaignId }: ContentLineProps) {
  const { store } = useAppContext();
  const total = useRows(workspaceId, { kind, campaignId }, 0).data?.total;
  return (
    <li>
      <button type="button" onClick={() => store.getState().goTo({ kind, campaignId })}>
        <span>{KIND_NAMES[kind].many}</span>
        <span className={ui['numeric']}>{total === undefined ? '' : countText(total)}</span>
        <IconChevronRight size={14} stroke={1.75} />
      </button>
    </li>
  );
}

/** The typed click URL and the one that is sent, with every rewrite between them. */
function ClickUrl({ raw }: { readonly raw: string }) {
  const isEncoded = useLimits().sba.clickUrlEncoding === 'document';
  const sent = canonicalClickUrl(raw);
  if (!isEncoded || sent.rewrites.length === 0) return null;
  return (
    <section className={styles['url-pair']} aria-label={texts.urlSent}>
      <dl>
        <dt>{texts.urlRaw}</dt>
        <dd>{raw}</dd>
        <dt>{texts.urlSent}</dt>
        <dd>{sent.url}</dd>
      </dl>
      <ul className={styles['rewrites']} aria-label={texts.urlRewrites}>
        {sent.rewrites.map((rewrite) => (
          <li key={rewrite.from}>
            <code>{rewrite.from}</code> → <code>{rewrite.to === '' ? appTexts.grid.none : rewrite.to}</code> ×{' '}
            {rewrite.times}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface IssueCardsProps {
  readonly issues: readonly Issue[];
  readonly onFix: (fix: Fix) => void;
  readonly onShow: (field: string) => void;
}

/** The issues of a row, each with a button: its solution, or a link to its cell. */
function IssueCards({ issues, onFix, onShow }: IssueCardsProps) {
  const app = useAppContext();
  if (issues.length === 0) return null;
  return (
    <ul className={ui['cards']} aria-label={texts.issues}>
      {issues.map((issue) => {
        const { fix, field, rule, campaignId } = issue;
        return (
          <li key={`${rule} ${field}`} className={`${ui['card']} ${ui[`card-${issue.severity}`]}`}>
            <p>{issueText(issue)}</p>
            {fix !== null ? (
              <Button onClick={() => onFix(fix)}>{appTexts.inspector.fix}</Button>
            ) : rule === FULL_RULE && campaignId !== null ? (
              <Button onClick={() => void spreadKeywords(app, [campaignId])}>{spreadTexts.spread}</Button>
            ) : (
              // The details show all of what has no cell, such as the details of a file.
              field !== null &&
              fieldSpec(issue.kind, field)?.grid?.inDetails !== false && (
                <Button onClick={() => onShow(field)}>{texts.toField(fieldName(field, issue.kind))}</Button>
              )
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** An item's picture from the catalog, and a link to its page. */
function ItemAbout({ workspaceId, itemId }: { readonly workspaceId: string; readonly itemId: string }) {
  const about = useQuery(
    useApi().items.get.queryOptions({ input: itemId === '' ? skipToken : { workspaceId, itemId } }),
  ).data;
  if (about === undefined || about === null) return null;
  return (
    <div className={styles['item-about']}>
      <ServicePicture
        workspaceId={workspaceId}
        of={{ is: 'item', itemId }}
        alt={about.name}
        size={{ width: 72, height: 72 }}
      />
      <p>
        <ItemPage url={about.pageUrl} name={about.name} />
      </p>
    </div>
  );
}

/** When the whole campaign was last read from the service; a link to the response if it is still stored. */
function LastRead({ workspaceId, campaignId }: { readonly workspaceId: string; readonly campaignId: number }) {
  const { store } = useAppContext();
  const now = useNow();
  const read = useQuery(useApi().responses.lastRead.queryOptions({ input: { workspaceId, campaignId } })).data;
  if (read === undefined) return null;
  const { at, answer } = read;
  const when = at === null ? texts.neverRead : timeText(at, now);
  return (
    <div>
      <dt>{texts.lastRead}</dt>
      <dd>
        {answer === null ? (
          when
        ) : (
          <button
            type="button"
            className={ui['link']}
            aria-label={texts.openRead(when)}
            onClick={() => store.getState().showHistory({ of: 'answers', answer })}
          >
            {when}
          </button>
        )}
      </dd>
    </div>
  );
}

interface MediaFieldProps extends FieldProps {
  readonly preview: DetailsParts['mediaPreview'];
  readonly value: number | null;
  readonly files: readonly MediaFile[];
  readonly onChange: (mediaId: number | null) => void;
}

const ACCEPT: Readonly<Record<string, string>> = { logo: '.png', video: '.mp4,.mov', caption: '.srt,.vtt' };

/** A field for a media file: its picture, a list of the library, and an area to drop or select a new file. */
function MediaField(props: MediaFieldProps) {
  const { logo, media } = useLimits();
  const { preview, column, value, files, onChange } = props;
  const { actions } = useAppContext();
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [busy, during] = useBusy();
  /** The last added file, if the library already contained it. */
  const [again, setAgain] = useState<number | null>(null);
  const [refused, setRefused] = useState<readonly AddedFile[]>([]);

  const take = async (dropped: readonly File[]): Promise<void> => {
    if (dropped.length === 0) return;
    const added = (await during(actions.addMedia(dropped))).filter((file) => file !== null);
    setRefused(added.filter((file) => file.outcome === 'refused'));
    const fitting = added.find((file) => file.outcome === 'added' && file.mediaType === column.field);
    if (fitting?.outcome !== 'added') return;
    setAgain(fitting.known ? fitting.mediaId : null);
    onChange(fitting.mediaId);
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    void take([...event.dataTransfer.files]);
  };
  const known = value === again ? files.find(({ id }) => id === again)?.row : undefined;
  const problem = refused
    .map((file) => (file.outcome === 'refused' ? fileRefusalText(file.fileName, file.reason, file.params) : ''))
    .join(' ');
  return (
    <FieldFrame {...props} inputId={id} problemId={`${id}-notes`} problem={problem === '' ? null : problem} hint={null}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping has its keyboard path in the button and the list below. */}
      <div
        className={styles['drop-field']}
        data-own-drop=""
        onDrop={onDrop}
        onDragOver={(event) => event.preventDefault()}
      >
        {value === null ? (
          <p className={ui['quiet']}>
            {column.field === 'logo'
              ? texts.dropLogo(logo.width, logo.height, logo.contentMaxKb)
              : column.field === 'caption'
                ? texts.dropCaption
                : texts.dropVideo(media.seconds.min, media.seconds.max)}
          </p>
        ) : (
          preview(value, files)
        )}
        {known !== undefined && (
          <p className={ui['quiet']} role="status">
            {appTexts.media.known(known.remoteId)}
          </p>
        )}
        <div className={styles['drop-actions']}>
          <Choice
            id={id}
            aria-describedby={`${id}-notes`}
            options={[
              [null, appTexts.grid.none],
              ...files.map((file) => [file.id, file.isHere ? file.name : texts.onServiceOnly(file.name)] as const),
            ]}
            value={value}
            onChoose={onChange}
          />
          <Button loading={busy} onClick={() => picker.current?.click()}>
            {texts.choose}
          </Button>
          <FilePicker
            ref={picker}
            multiple={column.field === 'video'}
            accept={column.field === 'video' ? '.mp4,.mov,.srt,.vtt' : ACCEPT[column.field]}
            onPick={(picked) => void take(picked)}
          />
        </div>
      </div>
    </FieldFrame>
  );
}
