import type { StateCreator } from 'zustand';

/** Whose figures stand in the grid. */
export interface FigureSlice {
  /** The report the user chose, by kind of row; kinds without an entry show the newest. */
  readonly figureReports: Readonly<Record<string, string>>;
  readonly chooseFigureReport: (kind: string, reportId: string) => void;
}

export const createFigureSlice: StateCreator<FigureSlice> = (set) => ({
  figureReports: {},
  chooseFigureReport: (kind, reportId) =>
    set(({ figureReports }) => ({ figureReports: { ...figureReports, [kind]: reportId } })),
});
