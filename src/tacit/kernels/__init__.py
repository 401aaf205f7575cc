"""Everything that is compiled, behind functions of arrays: each file says how its loop works."""
