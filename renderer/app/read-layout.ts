import { Layout } from '../../shared/api/scalars.ts';
import '../no-eval.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';

/** Reads a stored layout; null for text that main would refuse. */
export const readLayout = (text: string): Layout | null => Layout.safeParse(jsonOrNull(text)).data ?? null;
