import { remindOfStart } from '../campaign-states.ts';
import type { Fields } from '../fields.ts';
import { isAbove, parseHundredths } from '../fields.ts';
import { ownMessages, Refusal } from '../messages.ts';
import { itemStatuses, judgeItemBid } from '../resources/ad-items.ts';
import { isPrintable } from '../resources/campaigns.ts';
import { judgeEnabled, judgeKeywordBid, keywordStates } from '../resources/keywords.ts';
import { judgeMultiplier } from '../resources/multipliers.ts';
import { disableOtherProfiles, judgeSbaContent } from '../resources/sba-create.ts';
import type { Service } from '../service.ts';
import { isMove } from '../states.ts';
import type { Row } from '../store.ts';
import { type ControlCall, type ControlRoute, fieldsOf, idOf } from './route.ts';

/**
 * What a person may change in the retailer's own console, table by table, in the names of the API. The console does not
 * ask whether a campaign is live or under review; but words, moves of states, floors and content rules hold there, too.
 */
type Column = readonly [column: string, kind: 'text' | 'optional text' | 'amount' | readonly string[]];

interface EditableTable {
  readonly table: string;
  readonly key: string;
  /** API field to column; a list names the words it may hold. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The column and the word after which a row no longer changes. */
  readonly final?: readonly [column: string, word: string];
  /** What is wrong with the row as it is after the change, or null. Runs in the transaction of the change. */
  readonly judge?: (service: Service, row: Row) => string | null;
  /** What the change of a state sets right in other rows. Runs in the transaction of the change. */
  readonly settle?: (service: Service, row: Row) => void;
}

const switchable: Column = ['status', ['enabled', 'disabled']];
const approvals = ['pending', 'approved', 'rejected'] as const;
const reviewed: Readonly<Record<string, Column>> = {
  reviewStatus: ['review_status', approvals],
  reviewReason: ['review_reason', 'optional text'],
};

const judgeName = (_service: Service, row: Row) => (isPrintable(String(row['name'])) ? null : ownMessages.nameInvalid);

const consoleTables: Readonly<Record<string, EditableTable>> = {
  'ad-groups': {
    table: 'ad_group',
    key: 'ad_group_id',
    columns: { name: ['name', 'text'], status: switchable },
    judge: judgeName,
  },
  'ad-items': {
    table: 'ad_item',
    key: 'ad_item_id',
    columns: { bid: ['bid', 'amount'], status: ['status', itemStatuses], ...reviewed },
    final: ['status', 'deleted'],
    judge: (_service, row) => judgeItemBid(Number(row['bid'])),
  },
  keywords: {
    table: 'keyword',
    key: 'keyword_id',
    columns: { bid: ['bid', 'amount'], state: ['state', keywordStates], status: ['status', approvals] },
    final: ['state', 'archived'],
    judge: (service, row) =>
      judgeKeywordBid(service, Number(row['campaign_id']), Number(row['bid'])) ??
      (row['state'] === 'enabled' ? judgeEnabled(service, Number(row['ad_group_id'])) : null),
  },
  'sba-profiles': {
    table: 'sba_profile',
    key: 'sba_profile_id',
    columns: {
      searchAmpName: ['search_amp_name', 'text'],
      headlineText: ['headline_text', 'text'],
      clickUrl: ['click_url', 'text'],
      logoUrl: ['logo_url', 'text'],
      status: switchable,
      reviewStatus: ['review_status', ['pending', 'complete']],
      reviewReason: ['review_reason', 'optional text'],
    },
    judge: (service, row) =>
      judgeSbaContent(service, {
        brand: String(row['search_amp_name']),
        headline: String(row['headline_text']),
        clickUrl: String(row['click_url']),
      }),
    settle: (service, row) => {
      if (row['status'] !== 'enabled') return;
      disableOtherProfiles(service, Number(row['ad_group_id']), Number(row['sba_profile_id']));
    },
  },
  'ad-group-media': {
    table: 'ad_group_media',
    key: 'ad_group_media_id',
    columns: { status: switchable, ...reviewed },
  },
  media: {
    table: 'media',
    key: 'media_id',
    columns: { name: ['name', 'text'], status: ['status', ['available', 'failed']] },
    judge: judgeName,
  },
  multipliers: {
    table: 'multiplier',
    key: 'multiplier_id',
    columns: { multiplier: ['multiplier', 'amount'] },
    judge: (_service, row) => judgeMultiplier(String(row['kind']), String(row['type']), Number(row['multiplier'])),
  },
};

/** Other names people use for the same rows. */
const tableAliases: Readonly<Record<string, string>> = {
  'video-profiles': 'ad-group-media',
  'placement-multipliers': 'multipliers',
  'platform-multipliers': 'multipliers',
};

/**
 * `POST /sandbox/console/<rows>/{id}`: another person's edit, for tests of conflicts. The body is the changed fields
 * in the names of the API. 400: no such field or word; 409: the row, or a rule, does not allow it.
 */
export const consoleRowRoutes: readonly ControlRoute[] = [
  ...Object.keys(consoleTables),
  ...Object.keys(tableAliases),
].flatMap((name) => {
  const editable = consoleTables[tableAliases[name] ?? name];
  if (editable === undefined) return [];
  const handle: ControlRoute['handle'] = (service, call) => editRow(service, call, editable);
  return [{ method: 'POST', path: `/sandbox/console/${name}/:id`, handle }];
});

type Change = readonly [column: string, value: string | number | null];

function editRow(service: Service, call: ControlCall, editable: EditableTable): unknown {
  const id = idOf(call, 'id');
  const { table, key } = editable;
  const find = () => service.store.one<Row>(`SELECT * FROM ${table} WHERE ${key} = ?`, id);
  const present = find();
  if (present === undefined) throw new Refusal(404, 'No such row');
  const changes = readChanges(fieldsOf(call), editable);
  service.store.inTransaction(() => {
    for (const change of changes) writeChange(service, editable, present, id, change);
    const changed = find() ?? present;
    const problem = editable.judge?.(service, changed) ?? null;
    if (problem !== null) throw new Refusal(409, problem);
    if (changes.some(([column]) => stateColumns.has(column))) {
      editable.settle?.(service, changed);
      // A part that was approved or switched on may be what a campaign was waiting for.
      if (typeof changed['campaign_id'] === 'number') remindOfStart(service, changed['campaign_id']);
    }
  });
  const { logo: _logo, ...row } = find() ?? {};
  return row;
}

const stateColumns: ReadonlySet<string> = new Set(['status', 'state', 'review_status']);

function writeChange(service: Service, { table, key, final }: EditableTable, row: Row, id: number, change: Change) {
  const [column, value] = change;
  if (final !== undefined && row[final[0]] === final[1]) throw new Refusal(409, `Row is ${final[1]}`);
  const before = String(row[column]);
  if (stateColumns.has(column) && value !== row[column] && !isMove(table, column, before, String(value))) {
    throw new Refusal(409, `Row is ${before} and cannot become ${String(value)}`);
  }
  service.store.run(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`, value, id);
}

function readChanges(fields: Fields, editable: EditableTable): readonly Change[] {
  const entries = Object.entries(fields);
  if (entries.length === 0) throw new Refusal(400, 'Send the changed fields');
  return entries.map(([name, value]) => {
    const known = Object.hasOwn(editable.columns, name) ? editable.columns[name] : undefined;
    if (known === undefined) {
      throw new Refusal(400, `Field ${name} cannot be changed; known: ${Object.keys(editable.columns).join(', ')}`);
    }
    const [column, kind] = known;
    if (kind === 'optional text' && value === null) return [column, null];
    if (kind === 'text' || kind === 'optional text') {
      if (typeof value !== 'string') throw new Refusal(400, `${name} must be text`);
      return [column, value];
    }
    if (kind !== 'amount') {
      const word = kind.find((candidate) => candidate === value);
      if (word === undefined) throw new Refusal(400, `${name} must be one of ${kind.join(', ')}`);
      return [column, word];
    }
    const amount = parseHundredths(value);
    if (amount === null || amount.negative || isAbove(amount, AMOUNT_MAX)) {
      throw new Refusal(400, `${name} must be a decimal number`);
    }
    return [column, amount.hundredths];
  });
}

/** No bid or multiplier comes near; what is above is a slip of the keyboard. */
const AMOUNT_MAX = 1_000_000_000;
