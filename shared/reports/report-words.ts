/**
 * Words in a report request that the document leaves open, with common ones (wire shapes, section 4, "report"). A
 * deployment may have others, so each is sent as written.
 */
export const REPORT_WORD = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
/** A type of report: one in the document, or one that only the deployment has. */
export const REPORT_TYPE = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

/** Windows in which purchases are counted, as the service writes them. */
export const ATTRIBUTION_WORDS = ['days3', 'days14', 'days30'] as const;

/** Compression of a response. */
export const FORMAT_WORDS = ['json', 'csv', 'gzip', 'zip'] as const;

/** `14`, `14days` and `days14` are equal; the service accepts the last form. Null for an invalid text. */
export function attributionWord(text: string): string | null {
  const days = /^(\d{1,3})(?:days)?$/.exec(text.trim())?.[1];
  const word = days === undefined ? text.trim() : `days${days}`;
  return REPORT_WORD.test(word) ? word : null;
}

/** Facts about a report that the service makes in the background. */
interface JobFacts {
  readonly reportType: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly state: 'waiting' | 'ready' | 'failed' | 'expired';
  /** The service's own word; empty before the first response. */
  readonly status: string;
  readonly detail: string;
}

/** The result of a job, as a sentence for notifications and the command line. */
export function reportJobText({ reportType, startDate, endDate, state, status, detail }: JobFacts): string {
  const name = `The report "${reportType}", ${startDate} to ${endDate},`;
  const why = detail === '' ? '' : ` (${detail})`;
  switch (state) {
    case 'waiting':
      return `${name} is in progress at the service${status === '' ? '' : ` (status: ${status})`}.`;
    case 'ready':
      return `${name} is ready.`;
    case 'failed':
      return `${name} failed${why}. Request it again.`;
    case 'expired':
      return `${name} has expired: the service no longer has it${why}. Request it again.`;
  }
}
