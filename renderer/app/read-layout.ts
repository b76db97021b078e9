import { Layout } from '../../shared/api/scalars.ts';
import '../no-eval.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';

/** A layout that was left as text; null for whatever main would not take as one. */
export const readLayout = (text: string): Layout | null => Layout.safeParse(jsonOrNull(text)).data ?? null;
