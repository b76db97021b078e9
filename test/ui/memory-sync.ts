import { implement } from '@orpc/server';
import { contract } from '../../shared/contract/contract.ts';
import type { Review } from '../../shared/contract/sync.ts';

const KEPT = { answers: 0, bytes: 0, boundMb: 64, oldestAt: null, lost: 0 };

/** Syncs, reviews and what hangs on the service, answered from memory: one plan that can be sent, the reviews, and nothing else. */
export function memorySync(reviews: () => Review[]) {
  const os = implement(contract);
  return {
    sync: {
      plan: os.sync.plan.handler(() => ({
        planId: 'plan-1',
        requests: 1,
        uploads: [],
        leftOut: [],
        added: [],
        elements: 2,
        creates: 0,
        updates: 2,
        held: 0,
        reviews: 1,
        budgetLeft: 2998,
        waitsHours: 0,
        errors: 1,
      })),
      planBatches: os.sync.planBatches.handler(({ input }) => ({
        batches: [
          {
            index: 0,
            method: 'PUT',
            path: '/api/v1/adItems',
            kind: 'adItem',
            verb: 'update',
            campaign: 'Paper towels',
            elements: 2,
            json: input.bodies ? '[{"bid": 1.60}]' : null,
          },
        ],
      })),
      savePlan: os.sync.savePlan.handler(({ input, errors }) => {
        throw errors.NO_PLAN({ data: { planId: input.planId } });
      }),
      openPlan: os.sync.openPlan.handler(({ input, errors }) => {
        throw errors.NO_GRANT({ data: { grant: input.grant } });
      }),
      run: os.sync.run.handler(() => ({ runId: 'r1' })),
      schedule: os.sync.schedule.handler(() => ({})),
      pause: os.sync.pause.handler(() => ({})),
      resume: os.sync.resume.handler(() => ({ runId: 'r1' })),
      pending: os.sync.pending.handler(() => null),
      cancel: os.sync.cancel.handler(() => ({})),
      report: os.sync.report.handler(() => null),
      outdated: os.sync.outdated.handler(() => ({
        campaigns: 2,
        all: 3,
        why: { old: 1, touched: 1, inReview: 1, processing: 0, keptFresh: 0 },
      })),
      refresh: os.sync.refresh.handler(() => ({ revision: 1 })),
      questions: os.sync.questions.handler(() => []),
      answer: os.sync.answer.handler(() => ({ open: 0 })),
      conflicts: os.sync.conflicts.handler(() => []),
      resolve: os.sync.resolve.handler(({ input }) => ({ revision: 1, settled: input.choices.length })),
    },
    review: {
      list: os.review.list.handler(reviews),
      poll: os.review.poll.handler(reviews),
      submit: os.review.submit.handler(() => ({ runId: 'r1' })),
      cancel: os.review.cancel.handler(() => ({ runId: 'r1' })),
    },
    conflictPolicy: {
      get: os.conflictPolicy.get.handler(() => ({ text: '' })),
      set: os.conflictPolicy.set.handler(({ input }) => ({ text: input.text })),
    },
    requests: {
      list: os.requests.list.handler(() => ({ total: 0, requests: [] })),
      get: os.requests.get.handler(() => null),
    },
    answers: {
      list: os.answers.list.handler(() => ({ total: 0, answers: [] })),
      of: os.answers.of.handler(() => []),
      lastRead: os.answers.lastRead.handler(() => ({ at: null, answer: null })),
      kept: os.answers.kept.handler(() => KEPT),
      keep: os.answers.keep.handler(({ input }) => ({ ...KEPT, boundMb: input.boundMb })),
    },
    afterReview: { list: os.afterReview.list.handler(() => []) },
    items: {
      search: os.items.search.handler(() => []),
      about: os.items.about.handler(() => null),
      confirm: os.items.confirm.handler(() => ({ asked: 0, found: 0, refused: [] })),
    },
    pictures: { show: os.pictures.show.handler(() => ({ url: null, why: 'none', host: '' })) },
    known: {
      list: os.known.list.handler(() => ({ total: 0, ids: [] })),
      look: os.known.look.handler(() => ({ here: [] })),
      add: os.known.add.handler(() => ({ outcomes: [], withoutGroup: [], stoppedBy: null })),
    },
    waiting: { list: os.waiting.list.handler(() => []) },
    uploadHosts: {
      list: os.uploadHosts.list.handler(() => []),
      answer: os.uploadHosts.answer.handler(({ input, errors }) => {
        throw errors.NO_UPLOAD_HOST({ data: { host: input.host } });
      }),
      forget: os.uploadHosts.forget.handler(({ input, errors }) => {
        throw errors.NO_UPLOAD_HOST({ data: { host: input.host } });
      }),
    },
    takeBack: {
      runs: os.takeBack.runs.handler(() => []),
      preview: os.takeBack.preview.handler(({ errors }) => {
        throw errors.NO_SYNC({ data: {} });
      }),
      stage: os.takeBack.stage.handler(({ errors }) => {
        throw errors.NO_SYNC({ data: {} });
      }),
    },
  };
}
