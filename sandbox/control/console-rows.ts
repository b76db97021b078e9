import { remindOfStart } from '../campaign-schedule.ts';
import { isAbove, parseHundredths } from '../decimal.ts';
import type { Fields } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import { isMove } from '../states.ts';
import type { Row } from '../store.ts';
import { consoleTables, type EditableTable, tableAliases } from './console-tables.ts';
import { type ControlCall, type ControlRoute, fieldsOf, idOf } from './route.ts';

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
