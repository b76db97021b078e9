import { z } from 'zod';

/** A list as the JSON text under which a workspace keeps it. @throws SyntaxError for a text that is no JSON */
export const jsonText = <S extends z.ZodType>(shape: S) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(shape);
