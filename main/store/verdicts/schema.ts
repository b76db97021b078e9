/**
 * What reviews said of which creative: every change of a verdict on a profile, with what the service showed of it then.
 * `creative` is the text of `creativeKey`; `at` counts by the service's calendar. Rows stay when their profile goes, for
 * the next draft with the same words.
 */
export const VERDICT_DDL = `
  CREATE TABLE creative_verdict(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, row INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL, campaign TEXT NOT NULL, creative TEXT NOT NULL, search_key TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('approved','rejected')), reason TEXT, at INTEGER NOT NULL) STRICT;
  CREATE INDEX creative_verdict_creative ON creative_verdict(creative, id);
  CREATE INDEX creative_verdict_row ON creative_verdict(kind, row, id);`;
