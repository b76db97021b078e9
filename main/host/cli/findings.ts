import { WINDOW_MAX } from '../../../shared/contract/limits.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RowId, WorkspaceId } from '../../../shared/model/scalars.ts';
import type { FindingCounts, Severity } from '../../../shared/rules/finding.ts';
import { findingText } from '../../../shared/rules/messages.ts';
import type { Client } from './command.ts';

export interface ShownFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly kind: Kind;
  readonly id: RowId;
  readonly campaign: string;
  readonly field: string | null;
  readonly label: string;
  readonly message: string;
}

/** Every finding of the account with its sentence. */
export async function readFindings(
  client: Client,
  workspaceId: WorkspaceId,
): Promise<{ readonly counts: FindingCounts; readonly findings: readonly ShownFinding[] }> {
  const findings: ShownFinding[] = [];
  for (;;) {
    const page = await client.workspace.findings({ workspaceId, from: findings.length, count: WINDOW_MAX });
    for (const finding of page.findings) {
      findings.push({
        rule: finding.rule,
        severity: finding.severity,
        kind: finding.kind,
        id: finding.id,
        campaign: finding.campaignName,
        field: finding.field,
        label: finding.label,
        message: findingText(finding),
      });
    }
    if (page.findings.length === 0 || findings.length >= page.total) return { counts: page.counts, findings };
  }
}
