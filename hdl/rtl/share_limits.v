// From quotients to a share: at least one step (0 would stop a flow for good), with the amendment at
// least an equal share, and never more than may be shared.
module share_limits #(
    parameter RATE = 12,
    parameter [RATE-1:0] SHAREABLE = 3890
) (
    input  wire [RATE-1:0] quotient,
    input  wire [RATE-1:0] equal,
    output wire [RATE-1:0] share
);
  wire [RATE-1:0] floored = quotient > equal ? quotient : equal;
  wire [RATE-1:0] some = floored == 0 ? {{(RATE - 1) {1'b0}}, 1'b1} : floored;
  assign share = some > SHAREABLE ? SHAREABLE : some;
endmodule
