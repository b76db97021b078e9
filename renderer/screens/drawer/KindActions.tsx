import type { Severity } from '../../../shared/rules/finding.ts';
import { ruleById } from '../../../shared/rules/registry.ts';
import { useAppContext } from '../../app/desk.ts';
import { enCheck } from '../../messages/en-check.ts';

interface FixAllProps {
  readonly rule: string;
  /** Only within this campaign; null for the whole account. */
  readonly campaignId: number | null;
  readonly name: string;
  readonly hint?: string;
}

/** Mends all that a rule finds, as one step of the history. */
export function FixAll({ rule, campaignId, name, hint }: FixAllProps) {
  const { actions } = useAppContext();
  return (
    <button type="button" className="chip" title={hint} onClick={() => void actions.fixAll(rule, campaignId)}>
      {name}
    </button>
  );
}

interface MuteProps {
  readonly rule: string;
  readonly severity: Severity;
  /** What the rule says. */
  readonly text: string;
}

/** Silences a rule in this account. Errors cannot be, and a rule of the user's own is switched off where it was written. */
export function Mute({ rule, severity, text }: MuteProps) {
  const { actions } = useAppContext();
  if (severity === 'error' || ruleById(rule) === undefined) return null;
  return (
    <button
      type="button"
      className="chip"
      title={enCheck.muteRule(text)}
      onClick={() => void actions.muteRule(rule, true)}
    >
      {enCheck.mute}
    </button>
  );
}
