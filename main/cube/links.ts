import type { MetricsGrouping } from '../../shared/api/metrics.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { textKey } from '../../shared/model/text.ts';
import type { ReportedKind } from '../../shared/reports/metric.ts';
import { asNumber, asText, type Db, numberOf, rowIdOf, rowsInPieces } from '../store/db/db.ts';
import { readLabelNames } from '../store/notes/read-notes.ts';
import { type CampaignFacts, readCampaignFacts } from '../store/reader/attention.ts';
import { fromStored } from '../store/rows/codec.ts';
import { currentRevision } from '../store/rows/revision.ts';
import { columnNamed, tableOf } from '../store/schema/tables.ts';
import type { CubeFile } from './cube-file.ts';
import type { Days } from './days.ts';

/** Links entities of reports to the account: their rows by service ID, and the names of their groups. */
export type Links = ReturnType<typeof createLinks>;

export interface GroupKey {
  readonly key: string;
  readonly label: string;
  readonly rowId: RowId | null;
}

/** An entity as stored. Cells are parsed on demand, because most queries need only one. */
interface Entity {
  readonly id: number;
  readonly columns: readonly string[];
  readonly cells: string;
  /** Null if they were not read, because few are needed. */
  readonly words: string | null;
}

const keyOf = ({ columns, cells }: Entity, column: string): string | undefined => {
  const at = columns.indexOf(column);
  return at < 0 ? undefined : (cells.split('\t')[at] ?? '');
};
/** Groupings by a key, which need the words of only one entity per group. */
const BY_KEY: readonly MetricsGrouping[] = ['campaign', 'adGroup', 'type', 'targeting', 'label'];

/** How a grouping assigns entities to groups. */
interface Grouping {
  /** The keys of an entity's groups. */
  readonly keysOf: (entity: Entity) => readonly string[];
  /** The name of a group, from its first entity. */
  readonly about: (entity: Entity, key: string) => Omit<GroupKey, 'key'>;
}

/** The key or word column of a grouping. */
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
  const kept = new Map<string, { readonly at: string; readonly value: unknown }>();
  /** Caches a value until `at` changes. */
  const keep = <T>(key: string, at: string, make: () => T): T => {
    const known = kept.get(key);
    if (known?.at === at) return known.value as T;
    const value = make();
    kept.set(key, { at, value });
    return value;
  };
  const size = (): number =>
    keep('size', String(days.revision()), () => numberOf(db, 'SELECT ifnull(max(id), 0) FROM entity') + 1);

  /** Changes when rows with service IDs or these IDs change, which most edits don't do. */
  const signature = (kind: ReportedKind): string =>
    keep(`signature ${kind}`, String(currentRevision(account)), () => {
      // A remainder keeps the sum exact for any number of rows.
      const sql = `SELECT count(*), total(id), sum((remote_id % 1000003) * (id % 8191 + 1))
        FROM ${tableOf(kind).name} WHERE remote_id IS NOT NULL`;
      return (account.get(sql) ?? []).join('/');
    });
  const rowsOf = (kind: ReportedKind): ReadonlyMap<string, RowId> =>
    keep(`rows of ${kind}`, signature(kind), () => {
      const byRemoteId = new Map<string, RowId>();
      const sql = `SELECT id, remote_id FROM ${tableOf(kind).name} NOT INDEXED WHERE id > ?1 AND remote_id IS NOT NULL ORDER BY id LIMIT ?2`;
      for (const [id, remoteId] of rowsInPieces(account, sql)) byRemoteId.set(asText(remoteId), rowIdOf(id));
      return byRemoteId;
    });

  /** Not cached, unlike the results made from it. */
  const entitiesOf = function* (type: string, withWords: boolean): Iterable<Entity> {
    const sql = `SELECT id, key, ${withWords ? 'words' : 'NULL'} FROM entity NOT INDEXED WHERE id > ?1 AND source = ?3 ORDER BY id LIMIT ?2`;
    for (const { id: source, keys: columns } of days.sourcesOf(type)) {
      for (const [id, key, words] of rowsInPieces(db, sql, source)) {
        yield { id: asNumber(id), columns, cells: asText(key), words: withWords ? asText(words) : null };
      }
    }
  };
  const wordsOf = ({ id, words }: Entity): Readonly<Record<string, string>> =>
    JSON.parse(words ?? asText(db.get('SELECT words FROM entity WHERE id = ?', id)?.[0])) as Record<string, string>;
  const remoteIds = (type: string, kind: ReportedKind): readonly string[] =>
    keep(`remote ${type} ${kind}`, String(days.revision()), () => {
      const ids: string[] = Array.from({ length: size() }, () => '');
      for (const entity of entitiesOf(type, false)) ids[entity.id] = keyOf(entity, `${kind}Id`) ?? '';
      return ids;
    });
  const rowOfEntity = (type: string, kind: ReportedKind): Int32Array =>
    keep(`rows ${type} ${kind}`, `${days.revision()} ${signature(kind)}`, () => {
      const rows = rowsOf(kind);
      return Int32Array.from(remoteIds(type, kind), (remoteId) => rows.get(remoteId) ?? 0);
    });
  /** For each row its first entity, and for each entity the next one of the same row. */
  const chains = (type: string, kind: ReportedKind) =>
    keep(`chains ${type} ${kind}`, `${days.revision()} ${signature(kind)}`, () => {
      const rowOf = rowOfEntity(type, kind);
      const first = new Int32Array(rowOf.reduce((most, row) => Math.max(most, row), 0) + 1);
      const next = new Int32Array(rowOf.length);
      for (let entity = rowOf.length - 1; entity > 0; entity--) {
        const row = rowOf[entity] ?? 0;
        if (row === 0) continue;
        next[entity] = first[row] ?? 0;
        first[row] = entity;
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
      const { spec, sql } = columnNamed(tableOf('campaign'), 'targetingType');
      const rows = account.all(`SELECT remote_id, ${sql} FROM campaign WHERE remote_id IS NOT NULL`);
      return new Map(rows.map(([id, value]) => [asText(id), String(fromStored(spec, value) ?? '')]));
    });
  /** Labels by row. */
  const labelsOf = (kind: ReportedKind): ReadonlyMap<number, readonly string[]> =>
    keep(`labels ${kind}`, String(currentRevision(account)), () => readLabelNames(account, kind));

  const groupingOf = (type: string, group: MetricsGrouping): Grouping => {
    /** `rowsOf` is called once, because each call checks whether the account has changed. */
    const rowIdIn = (kind: ReportedKind): ((entity: Entity) => RowId | null) => {
      const rows = rowsOf(kind);
      return (entity) => rows.get(keyOf(entity, `${kind}Id`) ?? '') ?? null;
    };
    const known = campaigns();
    const campaignOf = (entity: Entity): CampaignFacts | undefined => known.get(keyOf(entity, 'campaignId') ?? '');
    const isItsName = (_: Entity, key: string) => ({ label: key, rowId: null });
    switch (group) {
      case 'campaign':
        return {
          keysOf: (entity) => [keyOf(entity, 'campaignId') ?? ''],
          about: (entity) => {
            const campaign = campaignOf(entity);
            return { label: campaign?.name ?? wordsOf(entity)['campaignName'] ?? '', rowId: campaign?.id ?? null };
          },
        };
      case 'adGroup': {
        const rowId = rowIdIn('adGroup');
        return {
          keysOf: (entity) => [keyOf(entity, 'adGroupId') ?? ''],
          about: (entity) => {
            const { adGroupName, campaignName = '' } = wordsOf(entity);
            return { label: adGroupName ?? campaignName, rowId: rowId(entity) };
          },
        };
      }
      case 'keyword': {
        const rowId = rowIdIn('keyword');
        return {
          keysOf: (entity) => [keyOf(entity, 'keywordId') ?? ''],
          about: (entity) => {
            const { keywordText = '', matchType = '' } = wordsOf(entity);
            const label = matchType === '' ? keywordText : `${keywordText} (${matchType})`;
            return { label, rowId: rowId(entity) };
          },
        };
      }
      case 'type':
        return { keysOf: (entity) => [campaignOf(entity)?.campaignType ?? ''], about: isItsName };
      case 'targeting': {
        const targeting = targetingOf();
        return { keysOf: (entity) => [targeting.get(keyOf(entity, 'campaignId') ?? '') ?? ''], about: isItsName };
      }
      case 'label': {
        const kind = (['keyword', 'adItem', 'adGroup'] as const).find((each) => each === type) ?? 'campaign';
        const [labels, rowId] = [labelsOf(kind), rowIdIn(kind)];
        return { keysOf: (entity) => labels.get(rowId(entity) ?? 0) ?? [''], about: isItsName };
      }
      case 'item':
        return {
          keysOf: (entity) => [wordsOf(entity)['itemId'] ?? keyOf(entity, 'adItemId') ?? ''],
          about: (entity, key) => ({ label: wordsOf(entity)['itemName'] ?? key, rowId: null }),
        };
      case 'text':
        return {
          keysOf: (entity) => [textKey(wordsOf(entity)['keywordText'] ?? '')],
          about: (entity) => ({ label: wordsOf(entity)['keywordText'] ?? '', rowId: null }),
        };
      default: {
        const column = COLUMN_OF[group] ?? group;
        return { keysOf: (entity) => [keyOf(entity, column) ?? wordsOf(entity)[column] ?? ''], about: isItsName };
      }
    }
  };

  return {
    size,
    /** Changes with the content of the cube, and with the rows of a kind that have a service ID. */
    version: (kind: ReportedKind | null): string => `${days.revision()} ${kind === null ? '' : signature(kind)}`.trim(),
    remoteIds,
    rowOfEntity,
    entitiesOfRows: (type: string, kind: ReportedKind, ids: readonly RowId[]): readonly (readonly number[])[] => {
      const { first, next } = chains(type, kind);
      return ids.map((id) => {
        const own: number[] = [];
        for (let entity = first[id] ?? 0; entity > 0; entity = next[entity] ?? 0) own.push(entity);
        return own;
      });
    },
    entities: (type: string, kind: ReportedKind | null) => {
      const rowOf = kind === null ? null : rowOfEntity(type, kind);
      return Array.from(entitiesOf(type, true), (entity) => {
        const cells = entity.cells.split('\t');
        const keys = Object.fromEntries(entity.columns.map((name, at) => [name, cells[at] ?? '']));
        return { id: entity.id, keys, words: wordsOf(entity), rowId: rowOf?.[entity.id] ?? 0 };
      });
    },
    /**
     * The groups of a grouping that have one of these entities, by key, and for each entity its group. If an entity is
     * in several groups, there are several lists.
     */
    groups: (type: string, group: MetricsGrouping, has: Uint8Array) => {
      const at = `${days.revision()} ${currentRevision(account)}`;
      const { of, all } = keep(`groups ${type} ${group}`, at, () => {
        const found = new Map<string, GroupKey & { readonly at: number }>();
        const of: Int32Array[] = [];
        const { keysOf, about } = groupingOf(type, group);
        const length = size();
        for (const entity of entitiesOf(type, !BY_KEY.includes(group))) {
          const keys = keysOf(entity);
          for (let level = 0; level < keys.length; level++) {
            const key = keys[level] ?? '';
            const known = found.get(key) ?? { key, ...about(entity, key), at: found.size };
            if (known.at === found.size) found.set(key, known);
            of[level] ??= new Int32Array(length).fill(-1);
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
