import { useCallback } from 'react';
import { isReported } from '../../shared/reports/reported-kinds.ts';
import { useAppContext } from '../app/desk.ts';
import { useFigureReport } from '../data/use-figure-report.ts';
import { type RowFigures, useRowFigures } from '../data/use-row-figures.ts';
import type { WindowSource } from '../data/window-source.ts';
import { errorText } from '../messages/errors.ts';
import type { Column } from './columns.ts';

/** The figures of the rows on screen, asked for only while a column shows any. */
export function useShownFigures(
  workspaceId: string,
  columns: readonly Column[],
  source: WindowSource,
  version: number,
  span: { readonly from: number; readonly to: number },
): RowFigures {
  const { notes } = useAppContext();
  const { kind } = source.request;
  const wanted = columns.some(({ figure }) => figure !== null);
  const { chosen } = useFigureReport(workspaceId, kind, wanted);
  const fail = useCallback((error: unknown) => notes.fail(errorText(error)), [notes]);
  const reported = isReported(kind) ? kind : null;
  return useRowFigures(workspaceId, reported, wanted ? (chosen?.id ?? null) : null, source, version, span, fail);
}
