import type { Kind } from '../model/kinds.ts';

/** The kinds whose rows the service reports on, each under its own type of report. */
export const REPORTED_KINDS = ['campaign', 'adGroup', 'adItem', 'keyword'] as const;
export type ReportedKind = (typeof REPORTED_KINDS)[number];

export const isReported = (kind: Kind): kind is ReportedKind => REPORTED_KINDS.some((reported) => reported === kind);
