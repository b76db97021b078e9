import { useMemo } from 'react';
import type { WindowRow } from '../../shared/api/workspace.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import { isHere } from '../grid/columns.ts';
import { firstRows } from './row-questions.ts';
import { useQuery } from './use-query.ts';

export interface MediaFile {
  readonly id: number;
  readonly name: string;
  readonly mediaType: string;
  readonly row: WindowRow;
  /** False for a video that was uploaded elsewhere: its file is on the service only. */
  readonly isHere: boolean;
}

export interface Media {
  readonly files: readonly MediaFile[];
  readonly names: ReadonlyMap<number, string>;
  /** The files a field may point at: videos for `video`, logos for `logo`, captions for `caption`. */
  readonly filesFor: (field: string) => readonly MediaFile[];
}

const NAMES = fieldNames('media');
const cellOf = (row: WindowRow, field: string): Cell => row.cells[NAMES.indexOf(field)] ?? null;

/** The media library of an account, as pick lists need it. */
export function useMedia(workspaceId: string): Media {
  const rows = useQuery(firstRows(workspaceId, 'media', null)).data;
  return useMemo(() => {
    const files = (rows ?? []).map((row) => ({
      id: row.id,
      name: String(cellOf(row, 'fileName') ?? cellOf(row, 'mediaName') ?? `#${row.id}`),
      mediaType: String(cellOf(row, 'mediaType') ?? ''),
      row,
      isHere: isHere(row),
    }));
    return {
      files,
      names: new Map(files.map(({ id, name }) => [id, name])),
      filesFor: (field) => files.filter(({ mediaType }) => mediaType === field),
    };
  }, [rows]);
}
