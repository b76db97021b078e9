import { remindOfStart } from '../campaign-states.ts';
import type { Fields } from '../fields.ts';
import { isAbove, parseHundredths } from '../fields.ts';
import { ownMessages, Refusal } from '../messages.ts';
import { judgeItemBid } from '../resources/ad-items.ts';
import { contentOf, disableOtherProfiles, judgeSbaContent } from '../resources/brand-profiles.ts';
import { isPrintable } from '../resources/campaigns.ts';
import { judgeEnabled, judgeKeywordBid } from '../resources/keywords.ts';
import { judgeMultiplier } from '../resources/multipliers.ts';
import type { Service } from '../service.ts';
import { isMove } from '../states.ts';
import type { Row } from '../store.ts';
import { type Column, columnsOf, type TableName } from '../tables.ts';
import { type ControlCall, type ControlRoute, fieldsOf, idOf } from '../wire/route.ts';

/**
 * Fields that a person may change in the retailer's own console, by table, with their API names; declared in
 * `tables.ts`. The console does not check whether a campaign is live or in review, but words, state moves, minimums and
 * content rules apply.
 */
interface EditableTable {
  readonly table: TableName;
  /** The column and its value after which a row can't change any more. */
  readonly final?: readonly [column: string, word: string];
  /** The problem of the changed row, or null. Runs in the transaction of the change. */
  readonly judge?: (service: Service, row: Row) => string | null;
  /** Updates other rows after a state change. Runs in the transaction of the change. */
  readonly settle?: (service: Service, row: Row) => void;
}

const judgeName = (_service: Service, row: Row) => (isPrintable(String(row['name'])) ? null : ownMessages.nameInvalid);

const consoleTables: Readonly<Record<string, EditableTable>> = {
  'ad-groups': { table: 'ad_group', judge: judgeName },
  'ad-items': {
    table: 'ad_item',
    final: ['status', 'deleted'],
    judge: (_service, row) => judgeItemBid(Number(row['bid'])),
  },
  keywords: {
    table: 'keyword',
    final: ['state', 'archived'],
    judge: (service, row) =>
      judgeKeywordBid(service, Number(row['campaign_id']), Number(row['bid'])) ??
      (row['state'] === 'enabled' ? judgeEnabled(service, Number(row['ad_group_id'])) : null),
  },
  'sba-profiles': {
    table: 'sba_profile',
    judge: (service, row) => judgeSbaContent(service, contentOf(row)),
    settle: (service, row) => {
      if (row['status'] !== 'enabled') return;
      disableOtherProfiles(service, Number(row['ad_group_id']), Number(row['sba_profile_id']));
    },
  },
  'ad-group-media': { table: 'ad_group_media' },
  media: { table: 'media', judge: judgeName },
  multipliers: {
    table: 'multiplier',
    judge: (_service, row) => judgeMultiplier(String(row['kind']), String(row['type']), Number(row['multiplier'])),
  },
};

/** Other names for the same rows. */
const tableAliases: Readonly<Record<string, string>> = {
  'video-profiles': 'ad-group-media',
  'placement-multipliers': 'multipliers',
  'platform-multipliers': 'multipliers',
};

/**
 * `POST /sandbox/console/<rows>/{id}`: another person's edit, for tests of conflicts. The body has the changed fields
 * with their API names. 400: unknown field or value; 409: the row or a rule does not allow the change.
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

type Changes = Readonly<Record<string, string | number | null>>;

function editRow(service: Service, call: ControlCall, editable: EditableTable): unknown {
  const id = idOf(call, 'id');
  const { table, judge, settle } = editable;
  const find = () => service.store.find(table, id) as Row | undefined;
  const present = find();
  if (present === undefined) throw new Refusal(404, 'No such row');
  const changes = readChanges(fieldsOf(call), table);
  service.store.inTransaction(() => {
    for (const [column, value] of Object.entries(changes)) requireMove(editable, present, column, value);
    service.store.update(table, id, changes);
    const changed = find() ?? present;
    const problem = judge?.(service, changed) ?? null;
    if (problem !== null) throw new Refusal(409, problem);
    if (Object.keys(changes).some((column) => stateColumns.has(column))) {
      settle?.(service, changed);
      // A campaign may have waited for a part that was approved or enabled.
      if (typeof changed['campaign_id'] === 'number') remindOfStart(service, changed['campaign_id']);
    }
  });
  const { logo: _logo, ...row } = find() ?? {};
  return row;
}

const stateColumns: ReadonlySet<string> = new Set(['status', 'state', 'review_status']);

function requireMove({ table, final }: EditableTable, row: Row, column: string, value: Changes[string]): void {
  if (final !== undefined && row[final[0]] === final[1]) throw new Refusal(409, `Row is ${final[1]}`);
  const before = String(row[column]);
  if (stateColumns.has(column) && value !== row[column] && !isMove(table, column, before, String(value))) {
    throw new Refusal(409, `Row is ${before} and cannot become ${String(value)}`);
  }
}

function readChanges(fields: Fields, table: TableName): Changes {
  const entries = Object.entries(fields);
  if (entries.length === 0) throw new Refusal(400, 'Send the changed fields');
  const editable = columnsOf(table).filter(([, { console }]) => console !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const [column, { console = null } = {}] = editable.find(([, { member }]) => member === name) ?? [];
      if (column === undefined || console === null) {
        const known = editable.map(([, { member }]) => member).join(', ');
        throw new Refusal(400, `Field ${name} cannot be changed; known: ${known}`);
      }
      return [column, readValue(name, value, console)];
    }),
  );
}

function readValue(name: string, value: unknown, kind: NonNullable<Column['console']>): string | number | null {
  if (kind === 'optional text' && value === null) return null;
  if (kind === 'text' || kind === 'optional text') {
    if (typeof value !== 'string') throw new Refusal(400, `${name} must be text`);
    return value;
  }
  if (kind !== 'amount') {
    const word = kind.find((candidate) => candidate === value);
    if (word === undefined) throw new Refusal(400, `${name} must be one of ${kind.join(', ')}`);
    return word;
  }
  const amount = parseHundredths(value);
  if (amount === null || amount.negative || isAbove(amount, AMOUNT_MAX)) {
    throw new Refusal(400, `${name} must be a decimal number`);
  }
  return amount.hundredths;
}

/** Larger amounts are typing errors. */
const AMOUNT_MAX = 1_000_000_000;
