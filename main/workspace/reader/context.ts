import type { DeploymentSettings } from '../../../shared/profile/profile.ts';
import type { Db } from '../db/db.ts';
import { openDb } from '../db/open-db.ts';
import { createChanges } from './changes.ts';
import { createFindings } from './findings.ts';
import { createRowFigures } from './row-figures.ts';
import { createSummary } from './summary.ts';
import { createViewCounts } from './view-counts.ts';
import { createViews } from './views.ts';

export interface ReaderOptions {
  readonly file: string;
  readonly profile: DeploymentSettings;
  readonly migrated: boolean | null;
}

/** What the reader thread keeps between calls: a connection of its own that never waits for the writer, and what is cached. */
export function openReader({ file, profile, migrated }: ReaderOptions) {
  const db = openDb(file, { readOnly: true });
  const figures = createRowFigures(db);
  return {
    db,
    profile,
    figures,
    views: createViews(db, figures),
    viewCounts: createViewCounts(db),
    findings: createFindings(db, profile, migrated),
    changes: createChanges(db),
    summary: createSummary(db),
  };
}

/** What an operation of the reader works with. */
export interface ReaderContext extends Omit<ReturnType<typeof openReader>, 'db'> {
  readonly db: Db;
  /** Wall clock of the call, in milliseconds since 1970: the clock lives in the main thread and may be a virtual one. */
  readonly nowMs: number;
}
