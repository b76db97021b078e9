import type { WindowRow } from '../../shared/contract/workspace.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import { isDeleted } from '../../shared/model/row.ts';

/** Which field of a campaign's rows takes a file of a type: the profile's, or for a caption that of its video. */
export type AttachTarget =
  | { readonly is: 'set'; readonly kind: 'sbaProfile' | 'videoProfile' | 'media'; readonly id: WindowRow['id'] }
  /** The campaign has no profile yet: one is made below this ad group. */
  | { readonly is: 'create'; readonly groupId: WindowRow['id'] }
  | { readonly is: 'none' | 'which' | 'no-video' };

export const PROFILE_FIELD = { sbaProfile: 'logo', videoProfile: 'video', media: 'caption' } as const;

const cellOf = (kind: keyof typeof PROFILE_FIELD, row: WindowRow): unknown =>
  row.cells[fieldNames(kind).indexOf(PROFILE_FIELD[kind])] ?? null;

/** A profile without a file takes it first; the only one there is takes it in the place of its own. */
export function profileTarget(
  kind: 'sbaProfile' | 'videoProfile',
  profiles: readonly WindowRow[],
  groups: readonly WindowRow[],
): AttachTarget {
  const present = profiles.filter((row) => !isDeleted(row));
  const bare = present.find((row) => cellOf(kind, row) === null);
  const [first, second] = present;
  if (bare !== undefined) return { is: 'set', kind, id: bare.id };
  if (second !== undefined) return { is: 'which' };
  if (first !== undefined) return { is: 'set', kind, id: first.id };
  const [group, another] = groups.filter((row) => !isDeleted(row));
  return group === undefined || another !== undefined ? { is: 'none' } : { is: 'create', groupId: group.id };
}

/** A caption goes with the one video of the campaign's profiles. */
export function captionPlace(profiles: readonly WindowRow[]): AttachTarget {
  const videos = new Set(profiles.filter((row) => !isDeleted(row)).map((row) => cellOf('videoProfile', row)));
  videos.delete(null);
  const [video] = videos;
  if (typeof video !== 'number') return { is: 'no-video' };
  return videos.size > 1 ? { is: 'which' } : { is: 'set', kind: 'media', id: video as WindowRow['id'] };
}
