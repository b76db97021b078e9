import { type FaultRow, row } from './fault-row.ts';

const ANSWERS = 'test/sync/odd-answers.test.ts';

/** Answers of the service and of its storage that are no use, and rows that it has deleted. */
export const ANSWER_ROWS: readonly FaultRow[] = [
  row(
    'V1',
    'answer',
    'storage that answers a redirect, another odd status, a web page, or is cut off',
    'not followed; the file and the sync report say status, host, meaning and next step, and the command line ends with 1',
    ANSWERS,
    'fault V1',
  ),
  row(
    'V2',
    'answer',
    'row deleted on the service, without edits here',
    'told by the next refresh and marked; a second look two minutes later makes it a conflict: create it again, or delete it here',
    ANSWERS,
    'fault V2',
  ),
  row(
    'V3',
    'answer',
    'Retry-After of a year, in seconds or as a date',
    'the run ends and says until when; kept over a restart; a sync tries all the same',
    ANSWERS,
    'fault V3',
  ),
  row(
    'V4',
    'answer',
    'a result too few, too many or twice',
    'results that name their row count, a list settles the others, and only what stays unknown is asked',
    ANSWERS,
    'fault V4',
  ),
  row(
    'V5',
    'answer',
    'a read answered with a web page, nothing, 204, 500, 503 or a cut body',
    'told with call, status and wait, never as a missing network',
    ANSWERS,
    'fault V5',
  ),
  row(
    'V6',
    'answer',
    'a value of a wrong type in a list',
    'told with row, field and value; that row keeps its values, the others are read',
    ANSWERS,
    'fault V6',
  ),
  row(
    'V7',
    'answer',
    'JSON in which one object has a key twice',
    'refused as unreadable; a create answered so is settled by a read',
    ANSWERS,
    'fault V7',
  ),
  row(
    'V8',
    'answer',
    'a report under way that the service drops, fails, refuses, or gives no answer about',
    'told as expired or failed with its words, and offered again; without an answer it waits on, at a growing pace',
    'test/core/report-jobs.test.ts',
    'no answer about a job changes nothing',
  ),
  row(
    'V9',
    'answer',
    'a status of a job, or a column of a report, that nobody knows',
    'shown as it is; no row is lost, and the report is fetched when its file is there',
    'test/core/report-jobs.test.ts',
    'a word for a job that nobody knows',
  ),
];
