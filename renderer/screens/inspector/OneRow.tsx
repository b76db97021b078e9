import { Fragment, useState } from 'react';
import type { WindowRow } from '../../../shared/contract/workspace.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { changeCommand } from '../../../shared/plan/command-capabilities.ts';
import { useAppContext } from '../../app/desk.ts';
import { row as rowQuestion } from '../../data/questions.ts';
import { useMedia } from '../../data/use-media.ts';
import { useOffering } from '../../data/use-offering.ts';
import { useQuery } from '../../data/use-query.ts';
import type { OpenView } from '../../data/window-source.ts';
import { columnsOf, isChangedCell, lockOf, stateOf, valueText } from '../../grid/columns.ts';
import { marksOf } from '../../grid/RowMark.tsx';
import { en } from '../../messages/en.ts';
import { estimatedText, KIND_NAMES } from '../../messages/fields.ts';
import { momentText } from '../../messages/numbers.ts';
import { lazyComponent } from '../../ui/later.tsx';
import { NotesSection } from '../notes/NotesSection.tsx';
import { ClickUrl } from './ClickUrl.tsx';
import { FieldRow } from './FieldRow.tsx';
import { FindingCards } from './FindingCards.tsx';
import { ItemAbout } from './ItemAbout.tsx';
import { LastRead } from './LastRead.tsx';
import { MediaField } from './MediaField.tsx';
import { ProfilePair } from './ProfilePair.tsx';

/** What a file shows of itself comes when the first one is looked at. */
const MediaDetails = lazyComponent(async () => (await import('./MediaDetails.tsx')).MediaDetails);
/** Few rows were ever refused; what explains refusals comes when one is shown. */
const SyncErrorCard = lazyComponent(async () => (await import('../refusals/RefusalCard.tsx')).SyncErrorCard);

/** The service numbers no multiplier: what stands for its id is put together from its campaign and its first field. */
const MADE_UP: ReadonlySet<Kind> = new Set<Kind>(['placementMultiplier', 'platformMultiplier']);

interface OneRowProps {
  readonly workspaceId: string;
  readonly view: OpenView;
  readonly kind: Kind;
  readonly row: WindowRow;
}

/** Everything about one row: what is wrong, every field with what the service has, and its picture. */
export function OneRow({ workspaceId, view, kind, row }: OneRowProps) {
  const { actions } = useAppContext();
  const ref = { kind, id: row.id };
  const detail = useQuery(rowQuestion(workspaceId, ref)).data;
  const { names, filesFor } = useMedia(workspaceId);
  const columns = columnsOf(kind, false);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const value = (field: string): Cell => row.cells[fieldNames(kind).indexOf(field)] ?? null;
  const text = (field: string): string => String(value(field) ?? '');
  const set = (field: string, title: string, next: Cell): void =>
    void view.inPlace(() => actions.edit(en.grid.editLabel(title), [{ ...ref, field, value: next }]));

  // What is new here is created by documented requests.
  const offering = useOffering(row.remoteId === null ? null : changeCommand(kind));
  const { isEstimated, asOf } = stateOf(row);
  const isEstimate = kind === 'campaign' && isEstimated;
  const estimate = isEstimate ? estimatedText(asOf === null ? null : momentText(asOf)) : null;

  return (
    <div className="inspector">
      <header className="inspector-head">
        <h2>{KIND_NAMES[kind].one}</h2>
        {kind !== 'campaign' && kind !== 'media' && <span className="quiet">{row.campaignName}</span>}
        {row.remoteId !== null && !MADE_UP.has(kind) && <span className="quiet numeric">{row.remoteId}</span>}
        {estimate !== null && <span className="quiet">{estimate}</span>}
        {offering !== null && (
          <span className="quiet" title={offering.text}>
            {offering.isOffered ? en.inspector.byExtension : offering.text}
          </span>
        )}
        {kind === 'campaign' && row.remoteId !== null && <LastRead workspaceId={workspaceId} campaignId={row.id} />}
        <span className="inspector-marks">
          {marksOf(row).map((mark) => (
            <span key={mark.text} className={`grid-mark-${mark.tone}`}>
              {mark.sign} {mark.text}
            </span>
          ))}
        </span>
      </header>
      {detail?.refusal != null && (
        <SyncErrorCard
          row={{ kind, id: row.id, campaignId: row.campaignId, remoteId: row.remoteId }}
          refusal={detail.refusal}
        />
      )}
      <FindingCards findings={detail?.findings ?? []} onFix={(fix) => set(fix.field, fix.field, fix.value)} />
      {kind === 'sbaProfile' && <ProfilePair workspaceId={workspaceId} row={row} typed={typed} />}
      {kind === 'adItem' && <ItemAbout workspaceId={workspaceId} itemId={text('itemId')} />}
      {kind === 'media' && <MediaDetails workspaceId={workspaceId} row={row} findings={detail?.findings ?? []} />}
      <div className="fields">
        {columns.map((column) => {
          const cell = column.cell === null ? null : (row.cells[column.cell] ?? null);
          const locked = lockOf(column, row);
          if (locked !== null && cell === null) return null;
          if (column.spec?.grid?.inDetails === false) return null;
          const changed = isChangedCell(kind, column.field, row);
          const base = column.cell === null ? null : (detail?.base?.[column.cell] ?? null);
          const impact = detail?.impacts[column.field];
          const shared = {
            kind,
            column,
            locked,
            findings: detail?.findings.filter((finding) => finding.field === column.field) ?? [],
            before: changed && detail?.base ? en.inspector.before(valueText(kind, column.field, base, names)) : null,
            impact: locked === null && impact !== undefined ? impact : null,
            openComments: row.comments?.[column.field] ?? 0,
            onRevert: changed ? () => void actions.revert([ref], column.field) : null,
          };
          if (column.spec?.type.is === 'ref' && locked === null) {
            return (
              <MediaField
                key={column.field}
                {...shared}
                workspaceId={workspaceId}
                value={typeof cell === 'number' ? cell : null}
                files={filesFor(column.field)}
                onChange={(next) => set(column.field, column.title, next)}
              />
            );
          }
          return (
            <Fragment key={column.field}>
              <FieldRow
                {...shared}
                value={cell}
                mixed={false}
                media={names}
                onChange={(next) => set(column.field, column.title, next)}
                onTyping={(next) => setTyped((before) => ({ ...before, [column.field]: next }))}
              />
              {column.field === 'clickUrl' && <ClickUrl raw={typed['clickUrl'] ?? text('clickUrl')} />}
            </Fragment>
          );
        })}
      </div>
      <NotesSection workspaceId={workspaceId} row={ref} carried={row.labels ?? []} />
    </div>
  );
}
