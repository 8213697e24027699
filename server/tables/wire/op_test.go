package wire_test

import (
	"strings"
	"testing"

	"holt/server/play/table"
	"holt/server/proto/holtpb"
)

// TestOperationNumbers shows that holt.proto numbers the operations as the table does: all of
// clients, and those of the server that clients see.
func TestOperationNumbers(t *testing.T) {
	for op := range table.Operations() {
		if want := "OP_" + strings.ToUpper(op.String()); holtpb.Op_name[int32(op)] != want {
			t.Errorf("operation %d is %q in holt.proto, not %q", op, holtpb.Op_name[int32(op)], want)
		}
	}
	for n, name := range holtpb.Op_name {
		if op := table.Op(n); n != 0 && "OP_"+strings.ToUpper(op.String()) != name {
			t.Errorf("%s of holt.proto is %q in the table", name, op)
		}
	}
}
