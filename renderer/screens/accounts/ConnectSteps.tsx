import { enConnect as texts } from '../../messages/en-connect.ts';
import { type ConnectStep, stepsAfter } from './connect-steps.ts';

const SIGNS = { done: '✓', failed: '!', open: '○', running: '…' } as const;

interface ConnectStepsProps {
  /** Where it ended; null while it is under way. */
  readonly failedAt: ConnectStep | null;
}

/** The proof of a connection, step by step: what held, what failed and what was not reached. */
export function ConnectSteps({ failedAt }: ConnectStepsProps) {
  return (
    <ol className="connect-steps" aria-label={texts.title}>
      {stepsAfter(failedAt).map(({ step, state }) => (
        <li key={step} className={`connect-step connect-${state}`}>
          <span className="connect-sign" aria-hidden="true">
            {SIGNS[state]}
          </span>
          {texts.steps[step]} <span className="quiet">{texts.states[state]}</span>
        </li>
      ))}
    </ol>
  );
}
