/** Members of an account can read its rows of these tables, and change them only through functions. */
export const shownToMembers = (...tables: readonly string[]): string =>
  tables.map((table) => `${underRowSecurity(table)}\nGRANT SELECT ON ${table} TO adslate_member;`).join('\n');

/** Row security without grants. */
export const underRowSecurity = (table: string): string => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON ${table} FOR SELECT TO adslate_member USING ((adslate.member_here(workspace)).no IS NOT NULL);`;

/** Rows of this table can't be changed or deleted. */
export const appendOnly = (table: string): string =>
  `CREATE TRIGGER ${table}_is_kept BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION never();
CREATE TRIGGER ${table}_stays BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION never();`;
