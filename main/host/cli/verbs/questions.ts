import type { Command } from '../command.ts';
import { EXIT, usageStop } from '../stop.ts';
import { counted } from '../table.ts';
import { wordOf } from '../words.ts';

const questionsCommand: Command = {
  name: 'questions',
  takes: '',
  summary: 'Lists what only you can answer: rows that were sent and may or may not have arrived.',
  options: {},
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const client = await context.client();
    const questions = await client.sync.questions({ workspaceId: await context.workspaceId() });
    for (const question of questions) {
      context.output.say(
        `${question.id}  ${wordOf(question.kind)} ${question.what}, sent ${new Date(question.sentAt).toISOString()}: adslate answer ${question.id} exists=ID|absent|later`,
      );
    }
    if (questions.length === 0) context.output.say('No questions.');
    context.output.result({
      questions: questions.map(({ id, kind, what, sentAt, answers, absentFrom, correlationId }) => ({
        id,
        kind: wordOf(kind),
        what,
        sentAt: new Date(sentAt).toISOString(),
        answers,
        absentFrom: new Date(absentFrom).toISOString(),
        correlationId,
      })),
    });
    return questions.length > 0 ? EXIT.needsUser : EXIT.done;
  },
};

const answerCommand: Command = {
  name: 'answer',
  takes: 'ID exists=REMOTE_ID|absent|later',
  summary: 'Answers a question: the row is on the service under this id, is not there, or ask again later.',
  options: {},
  positionals: { min: 2, max: 2 },
  run: async (context) => {
    const [number = '', words = ''] = context.positionals;
    const questionId = Number(number);
    const exists = /^exists=(\d{1,19})$/.exec(words)?.[1];
    const answer = exists !== undefined ? { exists } : words === 'absent' || words === 'later' ? words : null;
    if (!Number.isInteger(questionId) || answer === null) {
      throw usageStop('Write: adslate answer ID exists=REMOTE_ID, or absent, or later.');
    }
    const client = await context.client();
    const { open } = await client.sync.answer({ workspaceId: await context.workspaceId(), questionId, answer });
    context.output.say(`Answered. ${counted(open, 'question')} open.`);
    context.output.result({ open });
    return open > 0 ? EXIT.needsUser : EXIT.done;
  },
};

export const questionCommands: readonly Command[] = [questionsCommand, answerCommand];
