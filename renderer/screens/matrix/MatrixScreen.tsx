import type { Kind } from '../../../shared/model/kinds.ts';
import { KeywordMatrix } from './KeywordMatrix.tsx';
import { MultiplierMatrix } from './MultiplierMatrix.tsx';

interface MatrixScreenProps {
  readonly workspaceId: string;
  readonly kind: Kind;
  readonly campaignId: number;
}

/** The other way to look at keywords and multipliers of one campaign: what belongs together stands in one line. */
export function MatrixScreen({ workspaceId, kind, campaignId }: MatrixScreenProps) {
  const Matrix = kind === 'keyword' ? KeywordMatrix : MultiplierMatrix;
  return <Matrix workspaceId={workspaceId} campaignId={campaignId} />;
}
