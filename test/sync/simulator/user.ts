import type { CreateRow } from '../../../main/store/types.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { isDeleted, isNew } from '../../../shared/model/row.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import type { ModelService } from './model-service.ts';
import type { Seeded, VirtualClock } from './seeded.ts';
import type { SimStore } from './sim-store.ts';

/** The person at the desk, and now and then a second one at the retailer's own console. */
export interface Person {
  readonly random: Seeded;
  readonly clock: VirtualClock;
  readonly service: ModelService;
  readonly store: SimStore;
  /** The last value given to a cell, by row, unless the service or somebody else wrote it afterwards. */
  readonly wishes: Map<string, string | number>;
  /** Every row that was made here, as `kind:id`. */
  readonly made: Set<string>;
  conflicts?: number;
}

/** Between two syncs: edits, deletes, further rows, and what somebody else does. */
export function workAWhile(person: Person): void {
  const { random } = person;
  settleConflicts(person);
  if (random.chance(0.4)) editSomething(person);
  if (random.chance(0.1)) deleteAnItem(person);
  if (random.chance(0.25)) addSomething(person);
  if (random.chance(0.15)) editElsewhere(person);
}

/** Makes rows and remembers them. */
export function make({ store, clock, made }: Person, creates: readonly CreateRow[]): void {
  store.setNow(clock.nowMs());
  if (!store.apply({ label: 'make', source: 'user', creates })) throw new Error('a draft was refused');
  for (const row of store.rows()) if (isNew(row)) made.add(`${row.kind}:${row.id}`);
}

function editSomething({ random, clock, store, service, wishes }: Person): void {
  const rows = store
    .rows()
    .filter((row) => (row.kind === 'adItem' && row.values.status !== 'deleted') || row.kind === 'platformMultiplier')
    .filter((row) => !isDeleted(row));
  const row = rows[random.int(Math.max(1, rows.length))];
  if (row === undefined) return;
  store.setNow(clock.nowMs());
  const field = row.kind === 'adItem' ? 'bid' : 'multiplier';
  const value = 150 + random.int(500);
  if (!store.apply({ label: 'edit', source: 'user', updates: [{ kind: row.kind, id: row.id, field, value }] })) return;
  // A service that cuts bids may have the last word on them, and a value that is the base already is no wish.
  const isWish = store.rows().some((one) => one.kind === row.kind && one.id === row.id && one.dirty !== 0);
  if (!isWish || (row.kind === 'adItem' && service.habits.cutsBids)) wishes.delete(`${row.kind}:${row.id}`);
  else wishes.set(`${row.kind}:${row.id}`, value);
}

function deleteAnItem({ random, clock, store, wishes }: Person): void {
  const items = store
    .rows()
    .filter((row) => row.kind === 'adItem' && !isDeleted(row) && row.values.status !== 'deleted');
  const row = items[random.int(Math.max(1, items.length))];
  if (row === undefined) return;
  store.setNow(clock.nowMs());
  store.apply({ label: 'delete', source: 'user', deletes: [{ kind: row.kind, id: row.id }] });
  wishes.delete(`adItem:${row.id}`);
}

/** A row more in a group that may be on the service already; somebody else may just have made its like there. */
function addSomething(person: Person): void {
  const { random, store, service } = person;
  const groups = store.rows().filter((row) => row.kind === 'adGroup');
  const group = groups[random.int(Math.max(1, groups.length))];
  if (group === undefined) return;
  const parent = { id: group.id };
  const campaign = store.rows().find(({ kind, id }) => kind === 'campaign' && id === group.campaignId);
  const isSba = campaign?.kind === 'campaign' && campaign.values.campaignType === 'sba';
  const n = 4 + random.int(4);
  const sort = random.int(3);
  const here = store.rows().filter(({ adGroupId }) => adGroupId === group.id);
  if (sort === 0 || !isSba) {
    const isThere = here.some((row) => row.kind === 'adItem' && row.values.itemId === `079965055${n}`);
    if (!isThere) make(person, [item(parent, n, random)]);
  } else if (sort === 1) {
    const isThere = here.some((row) => row.kind === 'keyword' && row.values.text === `kitchen roll ${n}`);
    if (!isThere) make(person, [keyword(parent, n)]);
  } else if (here.filter(({ kind }) => kind === 'sbaProfile').length < 2) {
    const isThere = here.some((row) => row.kind === 'sbaProfile' && row.values.headline === `Rolls ${n}`);
    if (isThere) return;
    if (group.remoteId !== null && random.chance(0.5)) {
      service.addStrangers('sbaProfile', Number(campaign?.remoteId), Number(group.remoteId), {
        searchAmpName: 'Northwind',
        headlineText: `Rolls ${n}`,
        clickUrl: CLICK_URL,
      });
    }
    make(person, [profile(parent, n)]);
  }
}

/** While nothing is on its way: somebody changes a bid elsewhere. */
function editElsewhere({ random, store, service, wishes }: Person): void {
  if (store.liveOps().length > 0) return;
  const items = store.rows().filter((row) => row.kind === 'adItem' && row.remoteId !== null);
  const row = items[random.int(Math.max(1, items.length))];
  if (row === undefined) return;
  service.editAsStranger(Number(row.remoteId), { bid: (150 + random.int(100) * 5) / 100 });
  wishes.delete(`adItem:${row.id}`);
}

/** Takes one side of every conflict. */
export function settleConflicts(person: Person): void {
  const { random, store, clock, wishes } = person;
  for (const { ref, field } of store.outbox('conflicts')) {
    // Nothing is ever deleted on this service, so no row is gone.
    if (field === null) throw new Error(`${ref.kind} ${ref.id} counts as gone`);
    store.setNow(clock.nowMs());
    const takesTheirs = random.chance(0.5);
    store.outbox('resolveConflict', { ref, field, take: takesTheirs ? 'theirs' : 'mine', by: null });
    wishes.delete(`${ref.kind}:${ref.id}`);
    person.conflicts = (person.conflicts ?? 0) + 1;
  }
}

/** A user who waits out the window, looks, and says what is true. @returns how many questions there were */
export function answerHonestly(person: Person): number {
  const { store, clock } = person;
  settleConflicts(person);
  const open = store.outbox('listUnresolved');
  if (open.length === 0) return 0;
  const latest = Math.max(...open.map(({ absentFrom }) => absentFrom));
  void clock.sleep(Math.max(0, latest - clock.nowMs()));
  const { epoch } = store.outbox('takeOwnership');
  for (const question of open) {
    store.setNow(clock.nowMs());
    const answer = trueAnswer(person, question);
    if (answer !== null) store.outbox('resolve', { epoch, questionId: question.id, answer });
  }
  return open.length;
}

/** What is true of a question; null when its row is gone. */
export function trueAnswer(
  { store, service }: Person,
  question: { readonly kind: string; readonly rowId: number },
): 'absent' | { readonly exists: RemoteId } | null {
  const rows = store.rows();
  const row = rows.find(({ kind, id }) => kind === question.kind && id === question.rowId);
  if (row === undefined) return null;
  const taken = new Set(rows.filter(({ kind }) => kind === row.kind).map(({ remoteId }) => remoteId));
  const campaign = rows.find(({ kind, id }) => kind === 'campaign' && id === row.campaignId);
  const look = lookOf(row.kind, row.values);
  const found = service
    .all(row.kind)
    .find(
      (record) =>
        !record.isStrangers &&
        !taken.has(String(record.id) as RemoteId) &&
        (row.kind === 'campaign' || String(record.campaignId) === campaign?.remoteId) &&
        record.look === look,
    );
  return found === undefined ? 'absent' : { exists: String(found.id) as RemoteId };
}

/** What a person tells things of a kind apart by. */
function lookOf(kind: string, values: AnyValues): string {
  if (kind === 'keyword') return `${values['text']}`;
  if (kind === 'adItem') return `${values['itemId']}`;
  if (kind === 'sbaProfile') return `${values['headline']}`;
  return `${values['name']}`;
}

/** Drafts of one to twelve rows, composed at random. */
export function randomDraft(random: Seeded, name: string): readonly CreateRow[] {
  const isAuto = random.chance(0.5);
  const rows: CreateRow[] = [campaign(name, isAuto)];
  if (random.chance(0.1)) return rows;
  rows.push({ kind: 'adGroup', parent: { at: 0 }, values: { name: `${name} group`, status: 'enabled' } });
  for (let n = random.int(4); n > 0; n--) rows.push(item({ at: 1 }, n, random));
  if (isAuto) rows.push(...multipliers(random));
  else {
    for (let n = random.int(4); n > 0; n--) rows.push(keyword({ at: 1 }, n));
    if (random.chance(0.7)) rows.push(profile({ at: 1 }, random.int(2)));
  }
  return rows;
}

const campaign = (name: string, isAuto: boolean): CreateRow => ({
  kind: 'campaign',
  parent: null,
  values: {
    name,
    campaignType: isAuto ? 'sponsoredProducts' : 'sba',
    targetingType: isAuto ? 'auto' : 'manual',
    totalBudget: 450_000,
    dailyBudget: 3750,
    startDate: '2030-03-04',
    status: 'enabled',
  },
});

type Parent = CreateRow['parent'];

export const item = (parent: Parent, n: number, random: Seeded): CreateRow => ({
  kind: 'adItem',
  parent,
  values: { itemId: `079965055${n}`, bid: 160 + random.int(100), status: 'enabled' },
});

export const keyword = (parent: Parent, n: number): CreateRow => ({
  kind: 'keyword',
  parent,
  values: { text: `kitchen roll ${n}`, matchType: 'exact', bid: 185, state: 'enabled' },
});

export const profile = (parent: Parent, n: number): CreateRow => ({
  kind: 'sbaProfile',
  parent,
  values: { brand: 'Northwind', headline: `Rolls ${n}`, clickUrl: CLICK_URL, status: 'enabled' },
});

const CLICK_URL = 'https://shop.example/browse/rolls';

function* multipliers(random: Seeded): Generator<CreateRow> {
  const multiplier = (): number => 1000 + random.int(9000);
  if (random.chance(0.5)) {
    yield {
      kind: 'placementMultiplier',
      parent: { at: 0 },
      values: { placement: 'Buy-Box', multiplier: multiplier() },
    };
  }
  for (const platform of ['Mobile', 'App']) {
    if (random.chance(0.4)) {
      yield { kind: 'platformMultiplier', parent: { at: 0 }, values: { platform, multiplier: multiplier() } };
    }
  }
}
