import type { SyncReport } from '../../../shared/contract/sync.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { row as rowQuestion } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enSyncErrors } from '../../messages/en-refusals.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { Meaning, NextStep } from './RefusalCard.tsx';
import { groupsOf, type RefusalGroup } from './refusal-groups.ts';

/** Rows of one group that are named; the others are a click away in the grid. */
const NAMED_MAX = 5;

/** The refusals of a sync by what was said: one card a message, however many rows it came for. */
export function RefusalGroups({ refused }: { readonly refused: SyncReport['refused'] }) {
  return (
    <ul className="cards">
      {groupsOf(refused).map((group) => (
        <Group key={group.key} group={group} />
      ))}
    </ul>
  );
}

/** The way to a refused row. Its campaign is named as well: the same item in two campaigns would read alike. */
function RefusedLink({ kind, id, label }: Pick<SyncReport['refused'][number], 'kind' | 'id' | 'label'>) {
  const { store } = useAppContext();
  const workspaceId = useView((s) => s.workspaceId);
  const detail = useQuery(workspaceId === null ? null : rowQuestion(workspaceId, { kind, id })).data;
  const campaign = kind === 'campaign' ? undefined : detail?.row.campaignName;
  return (
    <span>
      <button type="button" className="link" onClick={() => store.getState().reveal(kind, null, id, null)}>
        {KIND_NAMES[kind].one} {label}
      </button>
      {campaign !== undefined && <span className="quiet"> {enSyncErrors.inCampaign(campaign)}</span>}
    </span>
  );
}

function Group({ group: { message, rows } }: { readonly group: RefusalGroup }) {
  const { store } = useAppContext();
  const workspaceId = useView((s) => s.workspaceId);
  const [first] = rows;
  const detail = useQuery(
    workspaceId === null || first === undefined ? null : rowQuestion(workspaceId, { kind: first.kind, id: first.id }),
  ).data;
  if (first === undefined) return null;
  const showAll = (): void => {
    store.getState().dismiss();
    store.getState().goTo({ kind: first.kind, campaignId: null });
    store.getState().setOnly('rejected');
  };
  return (
    <li className="card card-error refusal">
      <p className="refusal-words">
        {message} {rows.length > 1 && <span className="badge badge-error">{enSyncErrors.rows(rows.length)}</span>}
      </p>
      <Meaning message={message} />
      <p className="refusal-rows">
        {rows.slice(0, NAMED_MAX).map(({ kind, id, label }) => (
          <RefusedLink key={`${kind} ${id}`} kind={kind} id={id} label={label} />
        ))}
        {rows.length > NAMED_MAX && <span className="quiet">{enSyncErrors.more(rows.length - NAMED_MAX)}</span>}
        {rows.length > 1 && (
          <button type="button" className="chip" onClick={showAll}>
            {enSyncErrors.showAll}
          </button>
        )}
      </p>
      {detail?.refusal != null && (
        <>
          {detail.refusal.correlationId !== null && (
            <p className="quiet">
              {enSyncErrors.correlationId} <span className="numeric refusal-id">{detail.refusal.correlationId}</span>
            </p>
          )}
          <NextStep
            row={{
              kind: first.kind,
              id: first.id,
              campaignId: detail.row.campaignId,
              remoteId: detail.row.remoteId,
            }}
            refusal={detail.refusal}
          />
        </>
      )}
    </li>
  );
}
