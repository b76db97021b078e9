import type { AnswersKept } from '../../shared/contract/answers.ts';
import { BODY_SHOWN_MAX } from '../../shared/contract/sent-elements.ts';
import type { AnswerFigures } from '../answers/kept-answers.ts';
import { opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

const MB = 1024 * 1024;

export const answersRouter = ({ open }: CoreParts) => ({
  list: os.answers.list.handler(async ({ input, errors }) => {
    const { answers } = await opened(open, input.workspaceId, errors);
    const page = await answers.list(input.from, input.count, input.words);
    return { ...page, answers: [...page.answers] };
  }),
  of: os.answers.of.handler(async ({ input, errors }) => {
    const { answers } = await opened(open, input.workspaceId, errors);
    const found = await answers.of(input.correlationId);
    return found.map((answer) => ({ ...answer, body: answer.body?.slice(0, BODY_SHOWN_MAX) ?? null }));
  }),
  lastRead: os.answers.lastRead.handler(async ({ input, errors }) => {
    const { workspace, answers } = await opened(open, input.workspaceId, errors);
    const { remoteId, at } = await workspace.outbox.campaignRead({ campaignId: input.campaignId });
    return { at, answer: remoteId === null ? null : await answers.lastRead(remoteId) };
  }),
  kept: os.answers.kept.handler(async ({ input, errors }) =>
    keptOf(await (await opened(open, input.workspaceId, errors)).answers.figures()),
  ),
  keep: os.answers.keep.handler(async ({ input, errors }) =>
    keptOf(await (await opened(open, input.workspaceId, errors)).answers.setBound(input.boundMb * MB)),
  ),
});

const keptOf = ({ boundBytes, ...figures }: AnswerFigures): AnswersKept => ({
  ...figures,
  boundMb: Math.round(boundBytes / MB),
});
