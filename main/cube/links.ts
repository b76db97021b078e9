import type { MetricsGrouping } from '../../shared/api/metrics.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { textKey } from '../../shared/model/text.ts';
import type { ReportedKind } from '../../shared/reports/metric.ts';
import { asNumber, asText, type Db, numberOf, rowIdOf } from '../store/db/db.ts';
import { type CampaignFacts, readCampaignFacts } from '../store/reader/attention.ts';
import { fromStored } from '../store/rows/codec.ts';
import { currentRevision } from '../store/rows/revision.ts';
import { columnOf, tableOf } from '../store/schema/tables.ts';
import type { CubeFile } from './cube-file.ts';
import type { Days } from './days.ts';

/** What entities of reports are in the account: rows by the IDs that the service gave, and what their groups are called. */
export type Links = ReturnType<typeof createLinks>;

export interface GroupKey {
  readonly key: string;
  readonly label: string;
  readonly rowId: RowId | null;
}

interface Entity {
  readonly id: number;
  readonly keys: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<string, string>>;
}

/** The column of the key, or of the words, that a grouping goes by. */
const COLUMN_OF: Partial<Readonly<Record<MetricsGrouping, string>>> = {
  brand: 'brand',
  category: 'category',
  platform: 'platform',
  page: 'pageType',
  match: 'matchType',
  text: 'keywordText',
  item: 'itemId',
};

export function createLinks(db: CubeFile, account: Db, days: Days) {
  const rowsByKind = new Map<ReportedKind, { readonly at: string; readonly byRemoteId: ReadonlyMap<string, RowId> }>();
  const checked = new Map<ReportedKind, { readonly revision: number; readonly at: string }>();
  const kept = new Map<string, { readonly at: string; readonly value: unknown }>();
  /** Made once for as long as nothing that it was made from has changed. */
  const keep = <T>(key: string, at: string, make: () => T): T => {
    const known = kept.get(key);
    if (known?.at === at) return known.value as T;
    const value = make();
    kept.set(key, { at, value });
    return value;
  };
  const size = (): number =>
    keep('size', String(days.revision()), () => numberOf(db, 'SELECT ifnull(max(id), 0) FROM entity') + 1);

  /** Changes when other rows have an ID of the service, which most edits leave as it is. */
  const signature = (kind: ReportedKind): string => {
    const revision = currentRevision(account);
    const known = checked.get(kind);
    if (known?.revision === revision) return known.at;
    const row = account.get(`SELECT count(*), total(id) FROM ${tableOf(kind).name} WHERE remote_id IS NOT NULL`) ?? [];
    const at = row.join('/');
    checked.set(kind, { revision, at });
    return at;
  };
  const rowsOf = (kind: ReportedKind): ReadonlyMap<string, RowId> => {
    const at = signature(kind);
    const known = rowsByKind.get(kind);
    if (known?.at === at) return known.byRemoteId;
    const rows = account.all(`SELECT remote_id, id FROM ${tableOf(kind).name} WHERE remote_id IS NOT NULL`);
    const byRemoteId = new Map(rows.map(([remoteId, id]) => [asText(remoteId), rowIdOf(id)]));
    rowsByKind.set(kind, { at, byRemoteId });
    return byRemoteId;
  };

  /** The keys of all entities of a type, without their words. */
  const keysOf = (type: string) =>
    keep(`keys ${type}`, String(days.revision()), () =>
      days
        .sourcesOf(type)
        .flatMap(({ id: source, keys }) =>
          db
            .all('SELECT id, key FROM entity WHERE source = ? ORDER BY id', source)
            .map(([id, key]) => ({ id: asNumber(id), keys, cells: asText(key).split('\t') })),
        ),
    );
  const entitiesOf = (type: string): readonly Entity[] =>
    keep(`entities ${type}`, String(days.revision()), () =>
      days.sourcesOf(type).flatMap(({ id: source, keys }) =>
        db.all('SELECT id, key, words FROM entity WHERE source = ? ORDER BY id', source).map(([id, key, words]) => {
          const cells = asText(key).split('\t');
          return {
            id: asNumber(id),
            keys: Object.fromEntries(keys.map((name, at) => [name, cells[at] ?? ''])),
            words: JSON.parse(asText(words)) as Record<string, string>,
          };
        }),
      ),
    );
  const remoteIds = (type: string, kind: ReportedKind): readonly string[] =>
    keep(`remote ${type} ${kind}`, String(days.revision()), () => {
      const ids: string[] = Array.from({ length: size() }, () => '');
      for (const { id, keys, cells } of keysOf(type)) ids[id] = cells[keys.indexOf(`${kind}Id`)] ?? '';
      return ids;
    });
  const rowOfEntity = (type: string, kind: ReportedKind): Int32Array =>
    keep(`rows ${type} ${kind}`, `${days.revision()} ${signature(kind)}`, () => {
      const rows = rowsOf(kind);
      return Int32Array.from(remoteIds(type, kind), (remoteId) => rows.get(remoteId) ?? 0);
    });
  /** For each row the first of its entities, and for each entity the next one of the same row. */
  const chains = (type: string, kind: ReportedKind) =>
    keep(`chains ${type} ${kind}`, `${days.revision()} ${signature(kind)}`, () => {
      const rowOf = rowOfEntity(type, kind);
      const first = new Map<number, number>();
      const next = new Int32Array(rowOf.length);
      for (let entity = rowOf.length - 1; entity > 0; entity--) {
        const row = rowOf[entity] ?? 0;
        if (row === 0) continue;
        next[entity] = first.get(row) ?? 0;
        first.set(row, entity);
      }
      return { first, next };
    });
  const campaigns = (): ReadonlyMap<string, CampaignFacts> =>
    keep('campaigns', String(currentRevision(account)), () => {
      const facts = readCampaignFacts(account);
      return new Map(facts.flatMap((one) => (one.remoteId === null ? [] : [[one.remoteId, one] as const])));
    });
  const targetingOf = (): ReadonlyMap<string, string> =>
    keep('targeting', String(currentRevision(account)), () => {
      const column = columnOf(tableOf('campaign'), 'targetingType');
      if (column === undefined) throw new Error('a campaign has no targetingType');
      const rows = account.all(`SELECT remote_id, ${column.sql} FROM campaign WHERE remote_id IS NOT NULL`);
      return new Map(rows.map(([id, value]) => [asText(id), String(fromStored(column.spec, value) ?? '')]));
    });
  /** Labels by row. */
  const labelsOf = (kind: ReportedKind): ReadonlyMap<number, readonly string[]> =>
    keep(`labels ${kind}`, String(currentRevision(account)), () => {
      const labels = new Map<number, string[]>();
      for (const [id, name] of account.all(
        'SELECT r.id, l.name FROM row_label r JOIN label l ON l.id = r.label WHERE r.kind = ? ORDER BY l.name_key',
        tableOf(kind).code,
      )) {
        const own = labels.get(asNumber(id)) ?? [];
        own.push(asText(name));
        labels.set(asNumber(id), own);
      }
      return labels;
    });

  /** The groups that an entity is in. */
  const groupsOf = (type: string, group: MetricsGrouping): ((entity: Entity) => readonly GroupKey[]) => {
    const of = (key: string, label: string, rowId: RowId | null = null): readonly GroupKey[] => [{ key, label, rowId }];
    const rowId = (kind: ReportedKind, { keys }: Entity): RowId | null =>
      rowsOf(kind).get(keys[`${kind}Id`] ?? '') ?? null;
    const campaignOf = ({ keys }: Entity): CampaignFacts | undefined => campaigns().get(keys['campaignId'] ?? '');
    switch (group) {
      case 'campaign':
        return (entity) => {
          const known = campaignOf(entity);
          const name = known?.name ?? entity.words['campaignName'] ?? '';
          return of(entity.keys['campaignId'] ?? '', name, known?.id ?? null);
        };
      case 'adGroup':
        return (entity) =>
          of(
            entity.keys['adGroupId'] ?? '',
            entity.words['adGroupName'] ?? entity.words['campaignName'] ?? '',
            rowId('adGroup', entity),
          );
      case 'keyword':
        return (entity) => {
          const { keywordText = '', matchType = '' } = entity.words;
          const label = matchType === '' ? keywordText : `${keywordText} (${matchType})`;
          return of(entity.keys['keywordId'] ?? '', label, rowId('keyword', entity));
        };
      case 'type':
        return (entity) => of(campaignOf(entity)?.campaignType ?? '', campaignOf(entity)?.campaignType ?? '');
      case 'targeting': {
        const targeting = targetingOf();
        return ({ keys }) =>
          of(targeting.get(keys['campaignId'] ?? '') ?? '', targeting.get(keys['campaignId'] ?? '') ?? '');
      }
      case 'label': {
        const kind = (['keyword', 'adItem', 'adGroup'] as const).find((each) => each === type) ?? 'campaign';
        const labels = labelsOf(kind);
        return (entity) => {
          const own = labels.get(rowId(kind, entity) ?? 0) ?? [];
          return own.length === 0 ? of('', '') : own.map((name) => ({ key: name, label: name, rowId: null }));
        };
      }
      case 'item':
        return (entity) => {
          const id = entity.words['itemId'] ?? entity.keys['adItemId'] ?? '';
          return of(id, entity.words['itemName'] ?? id, null);
        };
      case 'text':
        return ({ words: { keywordText = '' } }) => of(textKey(keywordText), keywordText);
      default: {
        const column = COLUMN_OF[group] ?? group;
        return ({ keys, words }) => of(keys[column] ?? words[column] ?? '', keys[column] ?? words[column] ?? '');
      }
    }
  };

  return {
    size,
    /** Changes with what is in the cube, and with the rows of a kind that have an ID of the service. */
    version: (kind: ReportedKind | null): string => `${days.revision()} ${kind === null ? '' : signature(kind)}`.trim(),
    remoteIds,
    rowOfEntity,
    entitiesOf: (type: string, kind: ReportedKind, ids: readonly RowId[]): readonly (readonly number[])[] => {
      const { first, next } = chains(type, kind);
      return ids.map((id) => {
        const own: number[] = [];
        for (let entity = first.get(id) ?? 0; entity > 0; entity = next[entity] ?? 0) own.push(entity);
        return own;
      });
    },
    entities: (type: string, kind: ReportedKind | null) => {
      const rowOf = kind === null ? null : rowOfEntity(type, kind);
      return entitiesOf(type).map((entity) => ({ ...entity, rowId: rowOf?.[entity.id] ?? 0 }));
    },
    /**
     * The groups of a grouping that have one of these entities, by key, and for each entity the group it is in; where an entity is
     * in several, there are several lists.
     */
    groups: (type: string, group: MetricsGrouping, has: Uint8Array) => {
      const at = `${days.revision()} ${currentRevision(account)}`;
      const { of, all } = keep(`groups ${type} ${group}`, at, () => {
        const found = new Map<string, GroupKey & { readonly at: number }>();
        const of: Int32Array[] = [];
        const own = groupsOf(type, group);
        for (const entity of entitiesOf(type)) {
          for (const [level, one] of own(entity).entries()) {
            const known = found.get(one.key) ?? { ...one, at: found.size };
            found.set(one.key, known);
            of[level] ??= new Int32Array(size()).fill(-1);
            (of[level] as Int32Array)[entity.id] = known.at;
          }
        }
        return { of, all: [...found.values()] };
      });
      const isThere = new Uint8Array(all.length);
      for (const level of of) {
        for (let entity = 0; entity < level.length; entity++) {
          const place = level[entity] ?? -1;
          if (place >= 0 && has[entity] === 1) isThere[place] = 1;
        }
      }
      const kept = all
        .filter((_, place) => isThere[place] === 1)
        .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      const placeOf = new Int32Array(all.length).fill(-1);
      for (const [place, { at: old }] of kept.entries()) placeOf[old] = place;
      return {
        keys: kept.map(({ key, label, rowId }): GroupKey => ({ key, label, rowId })),
        groupOf: of.map((level) => level.map((old) => (old < 0 ? -1 : (placeOf[old] ?? -1)))),
      };
    },
  };
}
