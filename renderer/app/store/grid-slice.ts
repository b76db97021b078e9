import type { StateCreator } from 'zustand';
import { GROUPINGS, type GroupBy } from '../../../shared/api/choices.ts';
import type { Layout } from '../../../shared/api/scalars.ts';
import type { Kind } from '../../../shared/model/kinds.ts';

export const DENSITY_NAMES = ['compact', 'regular', 'roomy'] as const;
export type Density = (typeof DENSITY_NAMES)[number];

/** Row height and picture size, in CSS pixels. */
export const DENSITIES: Readonly<Record<Density, { readonly row: number; readonly picture: number }>> = {
  compact: { row: 22, picture: 16 },
  regular: { row: 28, picture: 20 },
  roomy: { row: 36, picture: 28 },
};

/** The look of this window and of the rows in its grids. */
export interface GridSlice {
  readonly density: Density;
  /** Whether ROAS is colored by its distance from the target. */
  readonly metricColors: boolean;
  /** Whether cells are colored by the impact of an edit: immediate, or with a review, for example. */
  readonly impactLens: boolean;
  /** Whether items and campaigns show their picture before their name. */
  readonly itemPictures: boolean;
  /** The field that groups rows, by kind; null for no groups. Kinds without an entry have their default. */
  readonly groupBy: Readonly<Partial<Record<Kind, GroupBy | null>>>;
  /** Whether creatives are shown as cards instead of rows, by kind. The default is cards for files, rows for others. */
  readonly gallery: Readonly<Partial<Record<Kind, boolean>>>;
  readonly showGallery: (kind: Kind, gallery: boolean) => void;
  /** Whether the open account has reports; their metrics are then shown by default. */
  readonly hasMetrics: boolean;
  readonly noteMetrics: (hasMetrics: boolean) => void;
  /** Whether there are short transitions. The system setting for reduced motion comes first. */
  readonly motion: boolean;
  /** Whether colleagues of a team see where this window is, and it shows where they are. */
  readonly presence: boolean;
  readonly adjustLook: (changes: Partial<Pick<GridSlice, 'density' | LookSwitch>>) => void;
  readonly setGroupBy: (kind: Kind, by: GroupBy | null) => void;
}

export type LookSwitch = 'metricColors' | 'impactLens' | 'itemPictures' | 'motion' | 'presence';
type Kept = Pick<GridSlice, 'density' | LookSwitch | 'groupBy' | 'gallery'>;

const START: Kept = {
  density: 'regular',
  metricColors: true,
  impactLens: false,
  itemPictures: true,
  motion: true,
  presence: true,
  groupBy: {},
  gallery: { media: true },
};

export const createGridSlice: StateCreator<GridSlice> = (set) => ({
  ...START,
  hasMetrics: false,
  noteMetrics: (hasMetrics) => set({ hasMetrics }),
  adjustLook: (changes) => set(changes),
  showGallery: (kind, shown) => set(({ gallery }) => ({ gallery: { ...gallery, [kind]: shown } })),
  setGroupBy: (kind, by) => set(({ groupBy }) => ({ groupBy: { ...groupBy, [kind]: by } })),
});

/** As preferences: `grid.density`, `grid.metric-colors`, `grid.pictures`, `motion`, `presence`, and `group.keyword` (empty for nothing). */
export function gridToStored({
  density,
  metricColors,
  impactLens,
  itemPictures,
  motion,
  presence,
  groupBy,
  gallery,
}: Kept): Layout {
  const groups = Object.entries(groupBy).map(([kind, by]) => [`group.${kind}`, by ?? ''] as const);
  const galleries = Object.entries(gallery).map(([kind, shown]) => [`gallery.${kind}`, shown] as const);
  return {
    'grid.density': density,
    'grid.metric-colors': metricColors,
    'grid.impact-lens': impactLens,
    'grid.pictures': itemPictures,
    motion,
    presence,
    ...Object.fromEntries([...groups, ...galleries]),
  };
}

export function gridFromStored(stored: Layout): Kept {
  const groupBy: Record<string, GroupBy | null> = {};
  const gallery: Record<string, boolean> = { ...START.gallery };
  for (const [key, by] of Object.entries(stored)) {
    if (key.startsWith('gallery.') && typeof by === 'boolean') gallery[key.slice(8)] = by;
    if (key.startsWith('group.') && typeof by === 'string') groupBy[key.slice(6)] = isGroupBy(by) ? by : null;
  }
  return {
    density: DENSITY_NAMES.find((each) => each === stored['grid.density']) ?? START.density,
    metricColors: stored['grid.metric-colors'] !== false,
    impactLens: stored['grid.impact-lens'] === true,
    itemPictures: stored['grid.pictures'] !== false,
    motion: stored['motion'] !== false,
    presence: stored['presence'] !== false,
    groupBy,
    gallery,
  };
}

const isGroupBy = (by: string): by is GroupBy => GROUPINGS.some((each) => each === by);
