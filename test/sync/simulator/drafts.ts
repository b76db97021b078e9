import type { CreateRow } from '../../../main/store/types.ts';
import type { Seeded } from './seeded.ts';

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

export const CLICK_URL = 'https://shop.example/browse/rolls';

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
