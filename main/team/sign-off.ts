import { hash } from 'node:crypto';
import type { TeamPolicy } from '../../shared/api/team.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { rowKey } from '../../shared/model/row.ts';
import { asRowId, type RowId } from '../../shared/model/scalars.ts';
import { contentOf, type OfferedRow, type SignOffs } from '../../shared/plan/sign-off.ts';
import type { Queries } from './connection.ts';
import { checkVerdict, type SignatureState, type SignedVerdict, type Signing, signVerdict } from './signing.ts';

/** A change request as stored in the database; times in milliseconds since 1970. */
export interface StoredRequest {
  readonly id: number;
  readonly title: string;
  readonly note: string;
  readonly submitter: number;
  readonly at: number;
  readonly state: 'open' | 'withdrawn' | 'closed';
  readonly endedAt: number | null;
  readonly rows: number;
  readonly sent: number;
  readonly campaigns: number;
}

/** A row that waits for a sign-off. */
export interface AskedRow {
  readonly request: number;
  readonly kind: Kind;
  readonly id: RowId;
  readonly campaignId: RowId;
  /**
   * SHA-256 of what would be sent of the row: the first of all of it, the others of what may remain after its first
   * request.
   */
  readonly digests: readonly string[];
  readonly isBegun: boolean;
  /** A colleague has asked for changes. */
  readonly isHeld: boolean;
  /** How many colleagues have signed it off. */
  readonly given: number;
}

export interface StoredVerdict {
  readonly request: number;
  readonly member: number;
  readonly at: number;
  readonly says: 'sign-off' | 'changes';
  readonly note: string;
  readonly campaigns: readonly RowId[] | null;
  /** A verdict with a wrong signature is ignored. */
  readonly signature: SignatureState;
}

export interface NewVerdict extends Omit<StoredVerdict, 'member' | 'at' | 'signature'> {
  /** Rows that differed from the submitted ones when the member saw them: these are not signed off. */
  readonly without: readonly { readonly kind: Kind; readonly id: RowId }[];
}

/** All change requests of an account, read at one moment. */
export interface Requests {
  /** Differs if anything in it differs. */
  readonly mark: string;
  readonly policy: TeamPolicy;
  readonly requests: readonly StoredRequest[];
  readonly asked: readonly AskedRow[];
  readonly verdicts: readonly StoredVerdict[];
}

export type SignOffDatabase = ReturnType<typeof openSignOff>;

/** How long ended requests are listed. */
const LISTED_DAYS = 30;

/** Reads and writes change requests and sign-offs for one computer of the team. */
export function openSignOff(client: Queries, account: string, desk: number, signing: Signing | null = null) {
  const ask = async <Row extends object>(sql: string, ...args: readonly unknown[]): Promise<readonly Row[]> =>
    (await client.query<Row>(sql, [account, ...args])).rows;

  /**
   * SHA-256 of all rows of requests with their digests: what a verdict refers to. They never change, whatever the state
   * of the request.
   */
  const contents = async (requests: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    const rows = await ask<{ request: number; line: string }>(
      `SELECT request, concat_ws(' ', kind, row_id, campaign, steps, (SELECT string_agg(encode(d, 'hex'), ',' ORDER BY at)
         FROM unnest(digests) WITH ORDINALITY AS t (d, at))) AS line
       FROM adslate.change_request_row WHERE workspace = $1 AND request = ANY ($2)`,
      requests,
    );
    // Sorted here, because the database may use another sort order.
    const lines = Map.groupBy(rows, ({ request }) => request);
    return new Map(
      requests.map((request) => {
        const all = (lines.get(request) ?? []).map(({ line }) => line).toSorted();
        return [request, hash('sha256', all.join('\n'))];
      }),
    );
  };
  const signed = async (verdict: Omit<SignedVerdict, 'desk' | 'member' | 'rows'>): Promise<Buffer | null> => {
    if (signing === null || signing.key === null) return null;
    const rows = (await contents([verdict.request])).get(verdict.request) ?? '';
    return signVerdict(signing.key, account, { ...verdict, desk, member: signing.member, rows });
  };
  const checked = async (
    rows: readonly VerdictRow[],
  ): Promise<readonly (StoredVerdict & { readonly no: number })[]> => {
    const of = signing === null ? new Map() : await contents([...new Set(rows.map(({ request }) => request))]);
    return Promise.all(
      rows.map(async ({ no, request, desk: by, member, at, says, note, campaigns: some, without, signature }) => {
        const campaigns = some?.map((id) => asRowId(Number(id))) ?? null;
        const verdict = { request, desk: by, member, says, note, campaigns, without, rows: of.get(request) ?? '' };
        return {
          no: Number(no),
          request,
          member,
          at: at.getTime(),
          says,
          note,
          campaigns,
          signature:
            signing === null ? 'unsigned' : await checkVerdict(account, Number(no), verdict, signature, signing),
        } as const;
      }),
    );
  };

  return {
    /** All verdicts of the account, with the state of their signatures. */
    verdicts: async () =>
      checked(await ask<VerdictRow>('SELECT * FROM adslate.verdict WHERE workspace = $1 ORDER BY no')),
    /** @returns the number of the request; null when all rows are already in open requests */
    submit: async (title: string, note: string, seq: number, rows: readonly OfferedRow[]): Promise<number | null> => {
      const wire = rows.map(({ kind, id, campaignId, steps, contents }) => {
        return [kind, id, campaignId, steps, contents.map(digestOf)];
      });
      const [row] = await ask<{ id: number | null }>(
        'SELECT id FROM adslate.request_submit_v1($1, $2, $3, $4, $5, $6)',
        desk,
        title,
        note,
        seq,
        JSON.stringify(wire),
      );
      return row?.id ?? null;
    },
    withdraw: async (request: number) => {
      const sql = 'SELECT adslate.request_withdraw_v1($1, $2, $3) AS answer';
      return (
        (await ask<{ answer: 'ok' | 'submitter' | 'over' | 'unknown' }>(sql, desk, request))[0]?.answer ?? 'unknown'
      );
    },
    judge: async ({ request, says, note, campaigns, without }: NewVerdict) => {
      const sql = 'SELECT adslate.verdict_v1($1, $2, $3, $4, $5, $6, $7, $8) AS answer';
      const but = without.map(({ kind, id }) => [kind, id] as const);
      const [row] = await ask<{ answer: 'ok' | 'submitter' | 'author' | 'over' | 'unknown' }>(
        sql,
        desk,
        request,
        says,
        note,
        campaigns,
        JSON.stringify(but),
        await signed({ request, says, note, campaigns, without: but }),
      );
      return row?.answer ?? 'unknown';
    },
    /** @param known the mark of the last result; null is returned if nothing changed since */
    read: async (known = ''): Promise<Requests | null> => {
      const [w] = await ask<{ policy: TeamPolicy; mark: string }>(
        `SELECT w.policy, concat_ws(' ', w.requests_changed, w.policy, (SELECT md5(string_agg(m::text, ' ' ORDER BY m.no))
           FROM adslate.member m WHERE m.workspace = w.id)) AS mark FROM adslate.workspace w WHERE w.id = $1`,
      );
      if (w?.mark === known) return null;
      const requests = await ask<RequestRow>(
        `SELECT q.*, n.* FROM adslate.change_request q CROSS JOIN LATERAL
           (SELECT count(*)::int AS rows, count(*) FILTER (WHERE r.state = 'sent')::int AS sent,
              count(DISTINCT r.campaign)::int AS campaigns
            FROM adslate.change_request_row r WHERE r.workspace = $1 AND r.request = q.id AND r.state <> 'replaced') AS n
         WHERE q.workspace = $1 AND (q.state = 'open' OR q.ended_at > now() - interval '${LISTED_DAYS} days')
         ORDER BY q.id DESC`,
      );
      const asked = await ask<AskedRowRow>(
        'SELECT * FROM adslate.asked_rows_v1($1) ORDER BY request, campaign, kind, row_id',
      );
      const verdicts = await checked(
        await ask<VerdictRow>(
          'SELECT * FROM adslate.verdict WHERE workspace = $1 AND request = ANY ($2) ORDER BY no',
          requests.map(({ id }) => id),
        ),
      );
      const forged = new Set(verdicts.flatMap(({ signature, request }) => (signature === 'wrong' ? [request] : [])));
      return {
        mark: w?.mark ?? '',
        policy: { approvals: w?.policy.approvals ?? 0, authors: w?.policy.authors ?? 'submitter' },
        requests: requests.map(({ id, title, note, submitter, at, state, ended_at, rows, sent, campaigns }) => {
          const endedAt = ended_at?.getTime() ?? null;
          return { id, title, note, submitter, at: at.getTime(), state, endedAt, rows, sent, campaigns };
        }),
        asked: asked.map(({ request, kind, row_id, campaign, digests, is_begun, is_held, given }) => ({
          request,
          kind,
          id: asRowId(Number(row_id)),
          campaignId: asRowId(Number(campaign)),
          digests,
          isBegun: is_begun,
          isHeld: is_held,
          // If one verdict is forged, it is unknown what the others were about.
          given: forged.has(request) ? 0 : given,
        })),
        verdicts,
      };
    },
    /** Rows of a request that were sent completely. */
    endedRows: async (request: number) => {
      const rows = await ask<{ kind: Kind; row_id: string; campaign: string }>(
        `SELECT kind, row_id, campaign FROM adslate.change_request_row
         WHERE workspace = $1 AND request = $2 AND state = 'sent' ORDER BY campaign, kind, row_id`,
        request,
      );
      return rows.map(({ kind, row_id, campaign }) => {
        return { kind, id: asRowId(Number(row_id)), campaignId: asRowId(Number(campaign)) };
      });
    },
    setPolicy: async ({ approvals, authors }: TeamPolicy): Promise<void> => {
      await ask('SELECT adslate.policy_v1($1, $2, $3)', approvals, authors);
    },
  };
}

interface RequestRow
  extends Pick<StoredRequest, 'id' | 'title' | 'note' | 'submitter' | 'state' | 'rows' | 'sent' | 'campaigns'> {
  readonly at: Date;
  readonly ended_at: Date | null;
}

interface AskedRowRow extends Pick<AskedRow, 'request' | 'kind' | 'digests' | 'given'> {
  readonly row_id: string;
  readonly campaign: string;
  readonly is_begun: boolean;
  readonly is_held: boolean;
}

interface VerdictRow extends Pick<StoredVerdict, 'request' | 'member' | 'says' | 'note'> {
  readonly no: string;
  readonly desk: number;
  readonly at: Date;
  readonly campaigns: readonly string[] | null;
  readonly without: SignedVerdict['without'];
  readonly signature: Buffer | null;
}

/** SHA-256 of the text that would be sent of a row. */
export const digestOf = (content: string): string => hash('sha256', content);

/** Whether a waiting row is still what was submitted, or what remains of it after its first request. */
export const isSame = ({ digests, isBegun }: AskedRow, digest: string): boolean =>
  (isBegun ? digests : digests.slice(0, 1)).includes(digest);

/** Null if no sign-off is required. */
export function signOffsOf({ mark, policy, asked }: Requests): SignOffs | null {
  if (policy.approvals === 0) return null;
  const rows = new Map(asked.map((row) => [rowKey(row.kind, row.id), row]));
  return {
    version: mark,
    digestOf,
    of: (row, media) => {
      const found = rows.get(rowKey(row.kind, row.id));
      if (found === undefined || found.isHeld || found.given < policy.approvals) return 'needs-sign-off';
      return isSame(found, digestOf(contentOf(row, media))) ? 'signed-off' : 'changed-since-sign-off';
    },
  };
}
