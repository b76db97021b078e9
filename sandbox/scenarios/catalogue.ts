import { startOfDate } from '../clock.ts';
import { schedule } from '../due.ts';
import { limits } from '../limits.ts';
import { hash, pick } from '../seed.ts';
import type { Service } from '../service.ts';
import type { Store } from '../store.ts';
import type { ItemRow, NewRow } from '../tables.ts';

/**
 * The retailer's catalog: items of each advertiser, every fourth with variants, and at fixed positions unpublished and
 * unreadable ones, so that each failure text of the item endpoints can be produced.
 */
const brands = [
  'Northwind',
  'Alder & Finch',
  'Harbor',
  'Bluebell',
  'Cobalt',
  'Fernhill',
  'Maple Row',
  'Juniper',
] as const;
const kinds = [
  'Paper Towels',
  'Kitchen Roll',
  'Storage Box',
  'Desk Lamp',
  'Cotton Sheets',
  'Coffee Maker',
  'Water Bottle',
  'Garden Hose',
  'Picture Frame',
  'Laundry Basket',
  'Bath Mat',
  'Cutting Board',
] as const;
const makes = ['Classic', 'Everyday', 'Premium', 'Compact', 'Large', 'Eco', 'Soft', 'Bright'] as const;
const colours = ['White', 'Sand', 'Navy', 'Forest', 'Slate', 'Coral'] as const;

/** One in so many items is unpublished, or unreadable. */
const UNPUBLISHED_EVERY = 41;
const UNREADABLE_EVERY = 59;

/** An advertiser with its number of items. */
interface CatalogueOwner {
  readonly advertiserId: number;
  readonly items: number;
  /** From which the names and bids of its items are drawn: the retailer's catalog is the same in every sandbox. */
  readonly drawnAs: number;
}

/**
 * Restores the initial catalog of a scenario. Items never change, so a reset only removes those of advertisers added
 * since; making all of them again would take most of the time of a reset.
 */
export function restoreCatalogue(
  service: Service,
  advertisers: readonly CatalogueOwner[],
  named: readonly NamedItem[],
): void {
  const { store, settings } = service;
  shown.delete(store);
  const kept = `${settings.seed}+${named.length}`;
  const [seed, last] = (store.readSetting('catalogue') ?? '').split('/');
  if (seed === kept && last !== undefined) {
    store.run('DELETE FROM item WHERE item_key > ?', Number(last));
    store.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'item'", Number(last));
    return;
  }
  store.run('DELETE FROM item');
  store.run("DELETE FROM sqlite_sequence WHERE name = 'item'");
  const madeFor = `${kept} ${settings.advertiser}`;
  const items = made.get(madeFor) ?? catalogueOf(settings.seed, advertisers, named);
  made.set(madeFor, items);
  for (const item of items) store.insert('item', item);
  store.writeSetting('catalogue', `${kept}/${lastItem(service)}`);
}

/** Catalogs by seed, number of named items and first advertiser, made once per process for all services. */
const made = new Map<string, readonly Item[]>();

function catalogueOf(
  seed: number,
  advertisers: readonly CatalogueOwner[],
  named: readonly NamedItem[],
): readonly Item[] {
  const [first] = advertisers;
  const items = first === undefined ? [] : namedItems(first.advertiserId, named);
  for (const owner of advertisers) items.push(...drawnItems(seed, owner, items.length));
  return items;
}

type Item = NewRow<'item'>;

/** The first items of each kind for an account. */
interface FirstItems {
  readonly available: readonly ItemRow[];
  readonly unpublished: readonly ItemRow[];
  readonly notOwned: readonly ItemRow[];
  readonly unreadable: readonly ItemRow[];
}

const SHOWN_MAX = 50;

/** Cached items of a store until items are added or removed: every state response includes them. */
const shown = new WeakMap<Store, Map<number, FirstItems>>();

export function firstItems({ store }: Service, advertiserId: number): FirstItems {
  const ofStore = shown.get(store) ?? new Map<number, FirstItems>();
  shown.set(store, ofStore);
  const known = ofStore.get(advertiserId);
  if (known !== undefined) return known;
  const where = (condition: string): readonly ItemRow[] =>
    store.all(`SELECT * FROM item WHERE ${condition} ORDER BY item_key LIMIT ?`, advertiserId, SHOWN_MAX);
  const found = {
    available: where('advertiser_id = ? AND published = 1 AND readable = 1 AND base_item_key IS NULL'),
    unpublished: where('advertiser_id = ? AND published = 0 AND readable = 1'),
    notOwned: where('advertiser_id <> ? AND published = 1 AND readable = 1'),
    unreadable: where('advertiser_id = ? AND readable = 0'),
  };
  ofStore.set(advertiserId, found);
  return found;
}

/** An item that a scenario names; its suggested bid is in cents. */
export interface NamedItem {
  readonly name: string;
  readonly suggestedCents: number;
  readonly variants: readonly string[];
}

function namedItems(advertiserId: number, named: readonly NamedItem[]): Item[] {
  const items: Item[] = [];
  const add = (name: string, baseKey: number | null, suggestedCents: number): number => {
    const serial = items.length + 1;
    items.push({
      ...idsOf(serial),
      advertiser_id: advertiserId,
      base_item_key: baseKey,
      name,
      suggested_bid: suggestedCents,
      published: 1,
      readable: 1,
    });
    return serial;
  };
  for (const { name, suggestedCents, variants } of named) {
    const baseKey = add(name, null, suggestedCents);
    for (const variant of variants) add(`${name}, ${variant}`, baseKey, suggestedCents);
  }
  return items;
}

/** The key of an item is its position in the catalog of all advertisers, from one. */
const idsOf = (serial: number) => ({
  item_key: serial,
  legacy_id: `prod${20_000_000 + serial}`,
  us_id: usIdOf(serial),
});

function lastItem(service: Service): number {
  return service.store.one<{ n: number | null }>('SELECT max(item_key) AS n FROM item')?.n ?? 0;
}

/** @param last the last item before them */
function drawnItems(
  seed: number,
  { advertiserId, items: count, drawnAs }: CatalogueOwner,
  last: number,
): readonly Item[] {
  const items: Item[] = [];
  const add = (name: string, baseKey: number | null, place: number): number => {
    const serial = last + items.length + 1;
    items.push({
      ...idsOf(serial),
      advertiser_id: advertiserId,
      base_item_key: baseKey,
      name,
      suggested_bid: 60 + (hash(seed, 'bid', serial) % 240),
      published: place % UNPUBLISHED_EVERY === UNPUBLISHED_EVERY - 1 ? 0 : 1,
      readable: place % UNREADABLE_EVERY === UNREADABLE_EVERY - 1 ? 0 : 1,
    });
    return serial;
  };
  for (let place = 0; place < count; place += 1) {
    const about = [drawnAs, place] as const;
    const kind = pick(kinds, seed, 'kind', ...about);
    const name = `${pick(brands, seed, 'brand', ...about)} ${pick(makes, seed, 'make', ...about)} ${kind} ${100 + place}`;
    const baseKey = add(name, null, place);
    if (place % 4 !== 0) continue;
    const variants = 1 + (hash(seed, 'variants', ...about) % 3);
    for (let index = 0; index < variants; index += 1) {
      add(`${name}, ${colours[index % colours.length] ?? colours[0]}`, baseKey, 0);
    }
  }
  return items;
}

/** Ten digits, all different: the factor has no common divisor with 10^10. About one in ten starts with a zero. */
function usIdOf(serial: number): string {
  return String((serial * 738_911_327 + 12_345_678) % 10_000_000_000).padStart(10, '0');
}

/** Advertisers and their migration ("Item identifier migration"): one by one, and all of them at the cutover. */
const ITEMS_OF_A_NEW_ADVERTISER = 300;

/** Adds an advertiser with a catalogue of its own. */
export function addAdvertiser(service: Service, advertiserId: number, name: string, migrated: boolean): void {
  shown.delete(service.store);
  insertAdvertiser(service, advertiserId, name, migrated);
  const owner = { advertiserId, items: ITEMS_OF_A_NEW_ADVERTISER, drawnAs: advertiserId };
  const items = drawnItems(service.settings.seed, owner, lastItem(service));
  for (const item of items) service.store.insert('item', item);
}

/** After the cutover every advertiser is migrated. */
export function insertAdvertiser(service: Service, advertiserId: number, name: string, migrated: boolean): void {
  const isMigrated = migrated || isPastCutover(service);
  service.store.insert('advertiser', { advertiser_id: advertiserId, name, migrated: isMigrated ? 1 : 0 });
}

export function migrateAdvertiser(service: Service, advertiserId: number): void {
  service.store.update('advertiser', advertiserId, { migrated: 1 });
}

export function migrateEveryone(service: Service): void {
  service.store.run('UPDATE advertiser SET migrated = 1');
}

export function scheduleCutover(service: Service): void {
  if (!isPastCutover(service)) schedule(service, 'migration.cutover', 'all', startOfDate(limits.cutoverDate));
}

function isPastCutover(service: Service): boolean {
  return service.clock.now() >= startOfDate(limits.cutoverDate);
}
