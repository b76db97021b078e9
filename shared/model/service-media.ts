import type { Row } from './row.ts';
import { type RemoteId, remoteId } from './scalars.ts';

/**
 * Videos that somebody uploaded elsewhere: the service has them, the library has only their id, name and state. They can
 * be used by a profile, and there is nothing of them to upload or to judge.
 */
export const isServiceMedia = (row: Pick<Row<'media'>, 'values' | 'remoteId'>): boolean =>
  row.values.sha256 === null && row.remoteId !== null;

const PREFIX = 'service:';

/** How a spreadsheet or an archive names such a video, where it would name a file. */
export const serviceMediaText = (id: RemoteId): string => `${PREFIX}${id}`;

/** The media ID that such a text names, or null when it names a file. */
export const serviceMediaId = (text: string): RemoteId | null =>
  text.toLowerCase().startsWith(PREFIX) ? remoteId(text.slice(PREFIX.length).trim()) : null;
