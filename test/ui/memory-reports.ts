import { implement } from '@orpc/server';
import { contract } from '../../shared/contract/contract.ts';

const os = implement(contract);

/** No report is kept or in progress, and there is no service that gives one. */
export const memoryReports = () => ({
  list: os.reports.list.handler(() => ({
    snapshots: [],
    damaged: 0,
    today: '2026-05-31',
    jobs: [],
    types: [],
  })),
  request: os.reports.request.handler(({ errors }) => {
    throw errors.REPORT_FAILED({ data: { reason: 'refused', detail: 'no service here' } });
  }),
  view: os.reports.view.handler(({ input, errors }) => {
    throw errors.NO_REPORT({ data: { id: input.id } });
  }),
  ofRows: os.reports.ofRows.handler(({ input, errors }) => {
    throw errors.NO_REPORT({ data: { id: input.id } });
  }),
  csv: os.reports.csv.handler(({ input, errors }) => {
    throw errors.NO_REPORT({ data: { id: input.id } });
  }),
  raw: os.reports.raw.handler(({ input, errors }) => {
    throw errors.NO_REPORT({ data: { id: input.id } });
  }),
  look: os.reports.look.handler(({ input, errors }) => {
    throw errors.NO_REPORT({ data: { id: input.snapshotId } });
  }),
  giveUp: os.reports.giveUp.handler(({ input, errors }) => {
    throw errors.NO_REPORT({ data: { id: input.snapshotId } });
  }),
  remove: os.reports.remove.handler(({ input, errors }) => {
    throw errors.NO_REPORT({ data: { id: input.id } });
  }),
});
