// The contention points of a switch, one in front of each output; nothing is shared between them
// but the clock and the tick.
module contention_points #(
    parameter PORTS = 16,
    parameter RATE = 12,
    parameter COUNT = 7,
    parameter [RATE-1:0] CAPACITY = 4095,
    parameter [RATE-1:0] SHAREABLE = 3890,
    parameter [RATE-1:0] URGENT = 409,
    parameter REMEMBERS = 1,
    parameter FLOORS = 1,
    parameter DIVIDER = 0,
    parameter STAGES = 4
) (
    input  wire                  clk,
    input  wire                  reset,
    input  wire                  tick,
    input  wire [   3*PORTS-1:0] in_type,
    input  wire [RATE*PORTS-1:0] in_current,
    input  wire [RATE*PORTS-1:0] in_desired,
    output wire [   3*PORTS-1:0] out_type,
    output wire [RATE*PORTS-1:0] out_current,
    output wire [RATE*PORTS-1:0] out_desired,
    output wire [     PORTS-1:0] out_urgent
);
  genvar i;
  generate
    for (i = 0; i < PORTS; i = i + 1) begin : port
      contention_point #(
          .RATE(RATE),
          .COUNT(COUNT),
          .CAPACITY(CAPACITY),
          .SHAREABLE(SHAREABLE),
          .URGENT(URGENT),
          .REMEMBERS(REMEMBERS),
          .FLOORS(FLOORS),
          .DIVIDER(DIVIDER),
          .STAGES(STAGES)
      ) point (
          .clk(clk),
          .reset(reset),
          .tick(tick),
          .in_type(in_type[3*i+:3]),
          .in_current(in_current[RATE*i+:RATE]),
          .in_desired(in_desired[RATE*i+:RATE]),
          .out_type(out_type[3*i+:3]),
          .out_current(out_current[RATE*i+:RATE]),
          .out_desired(out_desired[RATE*i+:RATE]),
          .out_urgent(out_urgent[i])
      );
    end
  endgenerate
endmodule
