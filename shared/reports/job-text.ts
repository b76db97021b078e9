/** What is told of a report that the service makes in the background. */
interface JobFacts {
  readonly reportType: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly state: 'waiting' | 'ready' | 'failed' | 'expired';
  /** The service's own word; empty where it has said none. */
  readonly status: string;
  readonly detail: string;
}

/** What became of it, as a sentence for the list of news and the command line. */
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
